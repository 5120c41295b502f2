"""Playing and watching at a terminal.

``adapter`` defines what a game brings to be played here. ``screen`` draws, ``prompt`` reads input, ``chronicle``
stores what each watcher has been told. ``play`` is the loop, ``begin`` begins a game or goes on with one, ``replay``
steps through a record.

Everything here is drawn from a view; functions that draw, describe or ask never see a state.
"""
