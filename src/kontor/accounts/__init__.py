"""People's accounts: passkeys, recovery, merging, blocking and leaving; and an operator's acts about people."""
