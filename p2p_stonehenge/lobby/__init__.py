"""From strangers to a table: who hosts, who joins, who is known since when."""
