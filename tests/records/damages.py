"""Damaged records, with the refusal of each."""

from msgspec.structs import replace

from kontor import records
from kontor.game import CHANCE, Result
from kontor.games.shanghaien.rules.state import Dice, Roll
from kontor.plugins import games
from kontor.records import GameEnding, Record, Step, encode
from records.made import EXAMPLE, LINES, SEED, WHOLE


def with_line(number: int, old: str, new: str) -> bytes:
    """Return the example with a text on a line replaced."""
    line = LINES[number - 1].decode()
    assert old in line
    return b"".join([*LINES[: number - 1], line.replace(old, new, 1).encode(), *LINES[number:]])


def without_lines(*numbers: int) -> bytes:
    return b"".join(line for number, line in enumerate(LINES, 1) if number not in numbers)


def ended_anew(record: Record, seed: bytes = SEED, result: Result | None = None) -> bytes:
    """Return a skilled forgery: the digest fits."""
    assert isinstance(record.ending, GameEnding)
    return encode(records.ended(record, seed, result or record.ending.result))


OTHER_ROLL = (*EXAMPLE.steps[:-3], Step(CHANCE, Dice(2, 5)), *EXAMPLE.steps[-2:])
DAMAGES: dict[str, tuple[bytes, str]] = {
    # Lines
    "empty": (b"", "line 1: The file is empty. (record.md#lines)"),
    "no line feed": (WHOLE[:-1], "line 117: The line is cut off: it does not end in a line feed. (record.md#lines)"),
    "one line without a line feed": (
        b"{",
        "line 1: The line is cut off: it does not end in a line feed. (record.md#lines)",
    ),
    "an empty line": (with_line(5, "{", "\n{"), "line 5: The line is not JSON: it ends too early. (record.md#lines)"),
    "no JSON": (with_line(5, "3", "three"), "line 5: The line is not JSON from byte 25 on. (record.md#lines)"),
    "NaN": (with_line(5, "3", "NaN"), "line 5: The line is not JSON from byte 24 on. (record.md#lines)"),
    "no object": (
        with_line(5, '{"chance":"dice","low":3,"high":4}', "[1]"),
        "line 5: an object with fields is needed here. (record.md#lines)",
    ),
    "another line end": (
        WHOLE.replace(b"\n", b"\r\n"),
        "line 1: Character 295 of the line is the control character U+000D. (record.md#lines)",
    ),
    "a byte order mark": (b"\xef\xbb\xbf" + WHOLE, "line 1: The line is not JSON from byte 1 on. (record.md#lines)"),
    "spaces": (
        with_line(7, ":", ": "),
        "line 7: Kontor would write this line differently: from byte 9, "
        '“1,"move":"place","die":3}”. (record.md#lines)',
    ),
    "a field twice": (
        with_line(7, "}", ',"die":3}'),
        "line 7: Kontor would write this line differently: from byte 33, “}”. (record.md#lines)",
    ),
    "another order": (
        with_line(5, '"low":3,"high":4', '"high":4,"low":3'),
        'line 5: Kontor would write this line differently: from byte 19, “low":3,"high":4}”. (record.md#lines)',
    ),
    "an unknown field of a move": (
        with_line(7, "}", ',"cheat":true}'),
        "line 7: Kontor would write this line differently: from byte 33, “}”. (record.md#lines)",
    ),
    "not UTF-8": (
        WHOLE.replace("ö".encode(), "ö".encode("latin-1")),
        "line 1: Byte 197 of the line is not UTF-8. (record.md#lines)",
    ),
    "half of a character": (
        with_line(7, "place", "\\ud800"),
        "line 7: The line is not JSON from byte 25 on. (record.md#lines)",
    ),
    "deeply nested": (
        with_line(7, "3", "[" * 30_000 + "]" * 30_000),
        "line 7: The line is nested too deeply. (record.md#lines)",
    ),
    "a long line": (
        with_line(7, "3", "3" * 70_000),
        "line 7: A line can have at most 65536 bytes. (record.md#lines)",
    ),
    "a long file": (
        WHOLE + b"\n" * records.MOST_BYTES,
        "line 16772946: A record can have at most 16777216 bytes. (record.md#lines)",
    ),
    # Header
    "no record": (b'{"name":"game"}\n', "line 1: The header lacks “record”. (record.md#header)"),
    "a newer format": (
        b'{"record":7,"spiel":{"who":"knows"}}\n',
        "line 1: This is a record of version 7; this Kontor knows 1, 2, 3, 4, 5, 6. (record.md#versions)",
    ),
    "newer rules": (
        with_line(1, '"rules":1', '"rules":2'),
        "line 1: This record was played by version 2 of the rules of shanghaien; this Kontor knows 1. "
        "(record.md#versions)",
    ),
    "a record that is no number": (
        with_line(1, '"record":1', '"record":"1"'),
        "line 1: “record” must be a whole number. (record.md#header)",
    ),
    "an unknown game": (
        with_line(1, "shanghaien", "skat"),
        f"line 1: There is no game “skat”. There are: {', '.join(games())}. (record.md#header)",
    ),
    "an unknown option": (
        with_line(1, "first_trick", "second_trick"),
        "line 1: “options.second_trick” is not known here. (record.md#header)",
    ),
    "an unknown part of an option": (
        with_line(1, '"reroll":3', '"reroll":3,"x":1'),
        "line 1: “options.tricks.x” is not known here. (record.md#header)",
    ),
    "options that cannot be": (
        with_line(1, '"reroll":3', '"reroll":4'),
        "line 1: There must be eight trick cards: 3 Nudge, 2 Both and 4 Reroll make 9. (S2)",
    ),
    "an unknown field": (
        with_line(1, '"seats"', '"date":0,"seats"'),
        "line 1: “date” is not known here. (record.md#header)",
    ),
    "a field missing": (
        with_line(1, '"salts":["zwölf Hufeisen",""],', ""),
        "line 1: “salts” is missing. (record.md#header)",
    ),
    "three seats": (
        with_line(1, '"Bernd"', '"Bernd","Karin"'),
        "line 1: The game has 2 seats; “seats” has 3. (record.md#header)",
    ),
    "one salt": (with_line(1, ',""]', "]"), "line 1: The game has 2 seats; “salts” has 1. (record.md#header)"),
    "no name": (
        with_line(1, '"Bernd"', '""'),
        "line 1: In “seats”, “” has 0 characters; it should be 1 to 60. (record.md#header)",
    ),
    "a long salt": (
        with_line(1, ',""]', f',"{"x" * 61}"]'),
        f"line 1: In “salts”, “{'x' * 59}…” has 61 characters; it should be 0 to 60. (record.md#header)",
    ),
    "a name that clears the screen": (
        with_line(1, "Bernd", "\\u001b[2J"),
        'line 1: The line contains an escape other than \\" and \\\\. (record.md#lines)',
    ),
    "a name that turns the line round": (
        with_line(1, "Bernd", "\u202edneB"),
        "line 1: Character 147 of the line is the control character U+202E. (record.md#lines)",
    ),
    "a game that clears the screen": (
        with_line(1, "shanghaien", "\x9b2J"),
        "line 1: Character 21 of the line is the control character U+009B. (record.md#lines)",
    ),
    "a game with a long name": (
        with_line(1, "shanghaien", "x" * 60_000),
        f"line 1: There is no game “{'x' * 159}…”. There are: {', '.join(games())}. (record.md#header)",
    ),
    "a space at the end": (
        with_line(7, "}", "} "),
        "line 7: Kontor would write this line differently: it ends before byte 34. (record.md#lines)",
    ),
    "a commitment in capitals": (
        with_line(1, "630dcd", "630DCD"),
        "line 1: “commitment” does not have the right form. (record.md#header)",
    ),
    "a start without a time zone": (
        with_line(1, '10dd"', '10dd","started":"2026-03-01T19:30:00"'),
        "line 1: “started” does not have the right form. (record.md#header)",
    ),
    # Steps
    "neither move nor outcome nor ending": (
        with_line(7, "seat", "chair"),
        "line 7: This is neither a move of a “seat”, nor “chance”, nor an ending with a “seed”. (record.md#steps)",
    ),
    "a seat too many": (
        with_line(7, ":1", ":2"),
        "line 7: There is no seat 2; the seats are 0 to 1. (record.md#steps)",
    ),
    "chance as a seat": (
        with_line(7, ":1", ":-1"),
        "line 7: There is no seat -1; the seats are 0 to 1. (record.md#steps)",
    ),
    "a seat that is no number": (
        with_line(7, ":1", ":true"),
        "line 7: “seat” must be a whole number. (record.md#steps)",
    ),
    "the other seat": (
        with_line(7, '"seat":1', '"seat":0'),
        "line 7: It is Bernd who acts here, not Anna. (record.md#steps)",
    ),
    "a move where chance is due": (
        without_lines(5),
        "line 5: It is chance that acts here, not Bernd. (record.md#steps)",
    ),
    "chance where a move is due": (
        without_lines(4),
        "line 4: It is Bernd who acts here, not chance. (record.md#steps)",
    ),
    "an unknown move": (with_line(7, "place", "throw"), "line 7: “move” cannot be “throw”. (record.md#steps)"),
    "a move of no kind": (with_line(7, '"move":"place",', ""), "line 7: “move” is missing. (record.md#steps)"),
    "a die that is no number": (with_line(7, "3", "3.5"), "line 7: “die” must be a whole number. (record.md#steps)"),
    "an unknown outcome": (with_line(5, "dice", "coin"), "line 5: “chance” cannot be “coin”. (record.md#steps)"),
    "a long number": (with_line(7, "3", "3" * 5000), "line 7: “die” is too small or too large. (record.md#steps)"),
    "an illegal move": (with_line(7, ":3", ":5"), "line 7: You did not roll a 5. (S6)"),
    "a move too early": (
        with_line(10, '{"seat":0,"move":"place","die":2}', '{"seat":0,"move":"shanghai"}'),
        "line 10: You have rolled: now place one of the dice. (S6)",
    ),
    "shanghai without dice": (
        with_line(8, "roll", "shanghai"),
        "line 8: You can call “Shanghai!” only after placing at least two of your own dice. (S4)",
    ),
    "an outcome that cannot be": (with_line(5, ":3", ":7"), "line 5: That outcome is not possible here. (S6)"),
    "a card that is gone": (with_line(18, "T2", "G2"), "line 18: That outcome is not possible here. (S10)"),
    "a forged die": (
        with_line(5, ":3", ":4"),
        'line 5: According to the seed, {"chance":"dice","low":3,"high":4} comes here, '
        'not {"chance":"dice","low":4,"high":4}. (fair-dice.md#the-outcomes)',
    ),
    # Ending
    "no ending": (
        without_lines(117),
        "line 117: The game is over, but the line with its seed and result is missing. (record.md#ending)",
    ),
    "an ending too early": (
        without_lines(116),
        "line 116: The game is not over yet, so it cannot have a result. (record.md#ending)",
    ),
    "a line after the end": (
        WHOLE + LINES[6],
        "line 118: The game ended on line 117: nothing can follow. (record.md#ending)",
    ),
    "a step after the game": (
        encode(replace(EXAMPLE, steps=(*EXAMPLE.steps, Step(1, Roll())), ending=None)),
        "line 117: The game is over: only its result can follow. (record.md#steps)",
    ),
    "a wrong result": (
        with_line(117, "[8,8]", "[9,8]"),
        'line 117: The result is {"points":[8,8],"winners":[0,1]}, not {"points":[9,8],"winners":[0,1]}. '
        "(record.md#ending)",
    ),
    "no result": (
        with_line(117, '"result":{"points":[8,8],"winners":[0,1]},', ""),
        "line 117: “result” is missing. (record.md#ending)",
    ),
    "a wrong seed": (
        with_line(117, "000102", "ff0102"),
        "line 117: The seed is not the one that line 1 commits to. (fair-dice.md#the-commitment)",
    ),
    "a wrong commitment": (
        with_line(1, "630dcd", "000000"),
        "line 117: The seed is not the one that line 1 commits to. (fair-dice.md#the-commitment)",
    ),
    "another name": (
        with_line(1, "Anna", "Hanna"),
        "line 117: A line before this one has been changed: the digest belongs to other lines. (record.md#ending)",
    ),
    "another move": (
        with_line(67, '"die":1', '"die":3'),
        "line 117: A line before this one has been changed: the digest belongs to other lines. (record.md#ending)",
    ),
    "a forger's die": (
        ended_anew(replace(EXAMPLE, steps=OTHER_ROLL)),
        'line 114: According to the seed, {"chance":"dice","low":2,"high":6} comes here, '
        'not {"chance":"dice","low":2,"high":5}. (fair-dice.md#the-outcomes)',
    ),
    "a forger's seed": (
        ended_anew(EXAMPLE, bytes(32)),
        "line 117: The seed is not the one that line 1 commits to. (fair-dice.md#the-commitment)",
    ),
}
"""Files that are no records, and their refusals."""
