"""Holidays: days of the year on which a person's clocks at tables over days stand still."""
