"""Tables where people and computer players meet: seats, the log of moves, clocks, talk."""
