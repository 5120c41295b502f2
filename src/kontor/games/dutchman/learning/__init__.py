"""Computer players of Der fliegende Holländer that use kernels, for thousands of imagined deals."""
