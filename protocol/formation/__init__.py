"""From strangers to a table: greetings, passphrases, charters."""
