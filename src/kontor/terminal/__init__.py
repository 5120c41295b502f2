"""Playing and watching at a terminal.

``adapter`` says what a game brings to be played here. ``screen`` shows, ``prompt`` reads what is typed, ``chronicle``
remembers what each watcher has been told, ``play`` is the loop, ``begin`` sets up a table and goes on with one,
``replay`` steps through a record. ``command`` is what the command line needs beside.

Everything drawn here is drawn from a view; no function that draws, tells or asks ever sees a state.
"""
