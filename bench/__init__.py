"""Measurements that are no part of the program."""
