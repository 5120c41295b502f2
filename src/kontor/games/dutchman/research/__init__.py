"""Der fliegende Holländer by numbered steps.

A lay is one step for its golden horseshoe (or none), and one for each kind of silver in the rack: how many of them. A
proposal is one step for the destination, and one for each tied player but the last: how many ducats they get or pay.
Shares and horseshoes are dealt, shared and shuffled one by one; they are hidden until all have been drawn.
"""

from kontor.games.dutchman.research.encoder import DutchmanEncoder

__all__ = ["DutchmanEncoder"]
