"""What kernels do for players of Der fliegende Holländer beyond a game at the table: thousands of imagined deals."""
