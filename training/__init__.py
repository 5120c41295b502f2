"""What makes the weights of the computer players, and what they are measured by: no part of the wheel."""
