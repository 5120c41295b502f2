"""Perfect matchings of the least cost, by rustworkx (the extra ``tournaments``)."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from operator import mul
from typing import Final

from kontor.optional_packages import requiring_extra
from kontor.words import mark

with requiring_extra(
    "tournaments", mark("Swiss tournaments need the package {package}, which is not installed: {command}")
):
    from rustworkx import PyGraph, max_weight_matching

Costs = tuple[int, ...]
"""The costs of a pair, none negative. The most important comes first; no sum of later ones outweighs it."""

_MOST: Final = 2**100
"""The largest total weight: rustworkx computes with 128 bits and does not report an overflow."""


def least_cost_pairs(count: int, costs: Sequence[tuple[int, int, Costs]]) -> list[tuple[int, int]]:
    """Return pairs of all numbers below ``count`` with the least sums of costs, compared in the order of the costs.

    ``count`` is even. ``costs`` holds every pair once, the smaller number first. If the costs are huge, the last ones
    are left out.
    """
    spans = [max(level) * (count // 2) + 1 for level in zip(*(cost for _, _, cost in costs), strict=True)]
    while prod(spans) > _MOST:
        spans.pop()
    scales = [prod(spans[level + 1 :]) for level in range(len(spans))]
    graph: PyGraph[None, int] = PyGraph(multigraph=False)
    graph.add_nodes_from([None] * count)
    weighed = [(one, other, -sum(map(mul, scales, cost))) for one, other, cost in costs]
    graph.add_edges_from(weighed)
    pairs = max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(pair), max(pair)) for pair in pairs)
