"""One module a game; each has a `GAME`. A new module here is all it takes to add one."""
