"""Training of the computer players' weights, and their measurement: no part of the wheel."""
