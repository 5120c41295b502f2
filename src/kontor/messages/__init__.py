"""Short messages between two people who have played together or follow each other."""
