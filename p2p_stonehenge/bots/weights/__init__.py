"""What bots have learned or worked out beforehand, as data; a script of the repository makes each file from a seed."""
