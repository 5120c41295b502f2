"""The player called ``greedy`` once more, as kernels: it makes the same moves as ``players.greedy``, for every number
is reckoned in the same order."""
