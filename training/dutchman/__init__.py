"""Training for Der fliegende Holländer: its players as kernels, for thousands of imagined deals."""
