"""Private notes of people about the tables at which they sit."""
