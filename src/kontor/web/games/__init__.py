"""The boards, one module a game: a view becomes what the templates ``table/<game>/`` need, and a form a move."""
