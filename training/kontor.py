"""The commands of ``kontor``, with the benchmark players among the computer players.

    .venv/bin/python -m training.kontor simulate shanghaien --players expert,mcts:0.1s --games 600 --mirrored

``kontor`` itself has no benchmark players: its wheel does not contain them.
"""

from __future__ import annotations

from kontor.cli import main
from training.benchmark_players import add_benchmark_players

add_benchmark_players()  # here, because each process that shares the work imports this module anew

if __name__ == "__main__":
    main()
