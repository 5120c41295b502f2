"""Strengths of players, fitted to all rated games at once, and what is stored and shown of them.

The order in which the games were played does not matter.
"""
