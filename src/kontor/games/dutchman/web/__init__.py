"""Der fliegende Holländer in the browser.

``adapter`` names the parts; a view becomes what the templates need, and a form a move.
"""
