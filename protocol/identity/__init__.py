"""Who signs: keys, signatures, the secrets of a table."""
