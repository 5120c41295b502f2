"""What people do about their accounts: passkeys, recovery, merging, blocking, leaving; and what an operator does."""
