"""The computer player ``greedy`` as kernels.

It makes the same moves as ``players.greedy``, because it computes every number in the same order.
"""
