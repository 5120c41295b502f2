"""Baselines for learners, one command each, the same for the same seeds (docs/benchmark.md).

    python -m bench.research levels shanghaien                     # Kontor's own computer players
    python -m bench.research ppo shanghaien --updates 100          # PPO, five seeds, then against levels
    python -m bench.research dqn                                   # OpenSpiel's DQN in Shanghaien
    python -m bench.research mcts --games 60 --simulations 50      # OpenSpiel's MCTS in Shanghaien
    python -m bench.research mini --iterations 200                 # CFR, CFR+ and MCCFR in the Mini-Holländer
    python -m bench.research speed shanghaien                      # decisions a second in environments over arrays

Each prints CSV: means, and the half of a 95 % interval (Student's t). Opponents take random legal steps.
"""
