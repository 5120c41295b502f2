"""Windows in which drawn runs found something once, by what was looked at.

``./test --all`` looks at them again.
"""

from collections.abc import Sequence
from typing import Final

from profiles import first_cases
from web.drawn_windows import Window

_SCENES: Final[dict[tuple[str, int], tuple[tuple[str, Window], ...]]] = {
    ("dutchman", 3): (
        ("name, 2 tied, spectator, clock", Window(320, 517, 18, "ja", "light", touch=False)),
        ("sail, spectator", Window(1605, 881, 21, "de", "light", touch=False)),
        ("action, mover", Window(320, 384, 16, "it", "dark", touch=False)),
        ("the end", Window(1422, 1068, 18, "en", "light", touch=False)),
        ("the end", Window(1708, 1033, 18, "it", "light", touch=False)),
        ("the end", Window(2339, 519, 16, "en", "light", touch=False)),
        ("the end", Window(801, 409, 16, "it", "dark", touch=False)),
        ("propose, 2 tied, reader tied, mover", Window(663, 534, 21, "de", "light", touch=False)),
        ("action, mover", Window(478, 442, 18, "it", "light", touch=True)),
        ("action, mover", Window(743, 621, 16, "it", "dark", touch=False)),
        ("show, spectator", Window(1268, 1256, 18, "it", "light", touch=False)),
        ("show, Earned, spectator", Window(658, 752, 16, "en", "dark", touch=True)),
        ("check, spectator", Window(893, 823, 18, "fr", "light", touch=False)),
        ("name, 2 tied, another, clock", Window(1844, 1390, 16, "ja", "dark", touch=False)),
        ("propose, 2 tied, another, clock", Window(348, 1243, 16, "ja", "dark", touch=False)),
        ("answer, 2 tied, reader tied, mover, clock", Window(320, 510, 16, "ja", "dark", touch=True)),
        ("propose, 2 tied, spectator", Window(1345, 1437, 16, "it", "dark", touch=False)),
        ("propose, 2 tied, reader tied, mover", Window(1003, 635, 16, "ja", "dark", touch=False)),
        ("name, 2 tied, reader tied, mover, clock", Window(344, 662, 18, "de", "light", touch=False)),
    ),
    ("dutchman", 4): (
        ("action, mover", Window(320, 529, 16, "it", "light", touch=True)),
        ("name, 2 tied, spectator", Window(1214, 1089, 16, "en", "light", touch=False)),
        ("propose, 2 tied, reader tied, mover", Window(1151, 703, 18, "de", "dark", touch=False)),
        ("propose, 2 tied, another", Window(383, 760, 18, "de", "light", touch=True)),
        ("action, mover", Window(1036, 818, 18, "fr", "light", touch=False)),
        ("action, mover", Window(925, 750, 21, "it", "light", touch=False)),
        ("action, another", Window(718, 810, 16, "fr", "dark", touch=False)),
        ("the end", Window(730, 521, 21, "ja", "dark", touch=True)),
        ("the end", Window(515, 382, 18, "it", "light", touch=False)),
        ("the end", Window(1204, 1335, 21, "en", "light", touch=False)),
        ("the end", Window(667, 1030, 16, "it", "dark", touch=False)),
        ("put, spectator", Window(915, 555, 16, "ja", "dark", touch=False)),
        ("name, 2 tied, reader tied, another", Window(422, 603, 16, "de", "light", touch=True)),
        ("name, 3 tied, spectator", Window(920, 1315, 16, "de", "light", touch=False)),
        ("propose, 2 tied, reader tied, mover", Window(709, 1027, 21, "de", "dark", touch=False)),
        ("action, mover", Window(547, 517, 21, "it", "dark", touch=True)),
        ("sail, mover, clock", Window(320, 550, 16, "it", "dark", touch=True)),
        ("sail, mover, clock", Window(320, 594, 16, "de", "light", touch=True)),
        ("check, mover, clock", Window(320, 649, 16, "fr", "light", touch=False)),
        ("propose, 2 tied, another, clock", Window(1716, 1440, 16, "fr", "light", touch=False)),
        ("again, 2 tied, spectator, clock", Window(1157, 1133, 16, "ja", "light", touch=False)),
        ("a pause is proposed, proposer", Window(1366, 768, 16, "fr", "light", touch=False)),
        ("propose, 2 tied, reader tied, another, clock", Window(320, 633, 21, "de", "light", touch=True)),
    ),
    ("dutchman", 5): (
        ("the end", Window(861, 643, 16, "fr", "dark", touch=False)),
        ("name, 2 tied, another, clock", Window(320, 698, 21, "fr", "dark", touch=True)),
        ("show, Earned, mover", Window(926, 594, 18, "fr", "light", touch=False)),
        ("answer, 2 tied, another", Window(1385, 901, 21, "en", "dark", touch=False)),
        ("show, Earned, mover", Window(1212, 806, 18, "en", "dark", touch=False)),
        ("name, 4 tied, reader tied, mover", Window(322, 542, 16, "ja", "dark", touch=False)),
        ("again, 2 tied, reader tied, mover", Window(2039, 390, 16, "ja", "light", touch=False)),
        ("propose, 2 tied, reader tied, mover", Window(557, 416, 16, "fr", "light", touch=False)),
        ("put, mover", Window(588, 391, 16, "de", "light", touch=True)),
        ("put, mover", Window(790, 715, 21, "de", "dark", touch=False)),
        ("show, mover, clock", Window(320, 592, 16, "fr", "dark", touch=True)),
        ("a move is to be taken back, asked", Window(1421, 713, 21, "de", "dark", touch=False)),
    ),
    ("dutchman", 6): (
        ("propose, 2 tied, reader tied, another", Window(320, 523, 18, "fr", "dark", touch=True)),
        ("the end", Window(718, 678, 21, "it", "light", touch=False)),
        ("action, mover", Window(435, 455, 21, "en", "light", touch=False)),
        ("action, mover", Window(567, 479, 16, "en", "dark", touch=True)),
        ("action, mover", Window(876, 481, 18, "en", "dark", touch=True)),
        ("name, 3 tied, reader tied, mover", Window(373, 884, 16, "en", "dark", touch=True)),
        ("put, mover", Window(513, 360, 18, "it", "light", touch=True)),
        ("the end", Window(320, 620, 16, "it", "dark", touch=True)),
        ("name, 3 tied, spectator", Window(1110, 1002, 16, "ja", "dark", touch=False)),
        ("answer, 4 tied, reader tied, another", Window(1984, 779, 16, "de", "light", touch=False)),
        ("propose, 2 tied, reader tied, mover", Window(834, 560, 16, "it", "light", touch=False)),
        ("propose, 3 tied, reader tied, mover", Window(1217, 784, 18, "fr", "dark", touch=False)),
        ("propose, 5 tied, reader tied, mover", Window(1476, 978, 21, "de", "dark", touch=False)),
        ("the end", Window(1932, 756, 16, "it", "dark", touch=False)),
        ("propose, 3 tied, spectator", Window(1119, 1377, 16, "it", "dark", touch=False)),
        ("propose, 3 tied, reader tied, mover", Window(554, 397, 16, "ja", "light", touch=False)),
        ("answer, 2 tied, another", Window(954, 734, 21, "en", "light", touch=False)),
        ("answer, 4 tied, reader tied, another", Window(827, 542, 16, "fr", "light", touch=False)),
        ("answer, 3 tied, another", Window(901, 669, 21, "ja", "light", touch=False)),
        ("name, 4 tied, reader tied, another", Window(366, 639, 16, "ja", "dark", touch=True)),
        ("sail, mover", Window(1064, 670, 16, "it", "light", touch=False)),
        ("propose, 2 tied, reader tied, mover", Window(324, 407, 16, "de", "dark", touch=True)),
        ("the end", Window(777, 360, 16, "fr", "light", touch=False)),
        ("the end", Window(397, 360, 16, "de", "light", touch=True)),
        ("answer, 4 tied, reader tied, mover", Window(770, 557, 16, "fr", "dark", touch=False)),
        ("name, 3 tied, spectator, clock", Window(320, 360, 16, "en", "dark", touch=True)),
        ("name, 2 tied, spectator, clock", Window(1349, 1100, 16, "ja", "light", touch=False)),
        ("propose, 2 tied, another, clock", Window(331, 740, 16, "fr", "light", touch=True)),
        ("name, 3 tied, reader tied, another, clock", Window(320, 436, 18, "fr", "dark", touch=True)),
        ("a move is to be taken back, asked", Window(798, 718, 16, "en", "dark", touch=False)),
        ("action, mover", Window(924, 787, 21, "it", "dark", touch=True)),
        ("propose, 3 tied, reader tied, mover", Window(554, 397, 16, "ja", "light", touch=False)),
    ),
    ("shanghaien", 2): (
        ("turn, a round, 1 tricks, another, clock", Window(574, 586, 16, "de", "dark", touch=True)),
        ("a pause is proposed, asked", Window(1266, 693, 21, "it", "light", touch=False)),
        ("a move is to be taken back, asked", Window(2508, 758, 16, "fr", "dark", touch=False)),
        ("turn, first round, 0 tricks, trick used, mover", Window(335, 941, 21, "fr", "light", touch=True)),
        ("turn, a round, 0 tricks, trick used, another", Window(391, 954, 21, "de", "light", touch=True)),
        ("place, last round, 0 tricks, trick used, mover", Window(320, 715, 21, "it", "light", touch=True)),
        ("place, a round, 2 tricks, trick used, mover", Window(1477, 975, 16, "it", "light", touch=False)),
        ("place, a round, 1 tricks, mover", Window(2531, 615, 16, "en", "dark", touch=False)),
        ("turn, a round, 0 tricks, trick used, mover", Window(972, 854, 18, "ja", "light", touch=True)),
        ("place, a round, 1 tricks, trick used, mover", Window(320, 813, 21, "it", "dark", touch=False)),
        ("turn, a round, 3 tricks, trick used, mover", Window(581, 516, 18, "fr", "dark", touch=True)),
        ("turn, a round, 1 tricks, another", Window(409, 389, 21, "de", "light", touch=False)),
        ("turn, a round, 1 tricks, another", Window(381, 360, 18, "it", "light", touch=False)),
        ("place, last round, 0 tricks, another", Window(504, 488, 18, "ja", "dark", touch=False)),
        ("place, first round, 1 tricks, another", Window(522, 512, 16, "fr", "dark", touch=False)),
        ("place, a round, 0 tricks, mover", Window(499, 452, 16, "fr", "dark", touch=True)),
        ("turn, a round, 1 tricks, another", Window(715, 1367, 16, "de", "light", touch=False)),
        ("turn, last round, 0 tricks, trick used, mover", Window(437, 1043, 21, "de", "dark", touch=True)),
        ("turn, a round, 2 tricks, mover", Window(321, 502, 16, "ja", "light", touch=True)),
        ("place, a round, 2 tricks, mover", Window(336, 1199, 16, "ja", "light", touch=False)),
        ("place, a round, 3 tricks, mover", Window(451, 1283, 18, "de", "dark", touch=True)),
        ("place, a round, 3 tricks, another", Window(404, 1132, 16, "it", "light", touch=False)),
        ("turn, a round, 2 tricks, mover", Window(1094, 1273, 16, "de", "dark", touch=True)),
        ("turn, a round, 0 tricks, another", Window(486, 360, 16, "de", "dark", touch=True)),
        ("both, first round, 0 tricks, trick used, mover", Window(412, 360, 16, "en", "light", touch=True)),
        ("turn, a round, 1 tricks, trick used, another", Window(320, 1121, 18, "de", "light", touch=False)),
        ("place, a round, 2 tricks, spectator, clock", Window(320, 529, 16, "ja", "dark", touch=False)),
        ("place, a round, 1 tricks, spectator, clock", Window(320, 418, 16, "ja", "light", touch=False)),
        ("turn, last round, 1 tricks, spectator, clock", Window(320, 482, 16, "ja", "light", touch=True)),
        ("a pause is proposed, asked", Window(1366, 768, 16, "fr", "light", touch=False)),
    ),
}
"""Titles of scenes and windows, by game and number of players."""

_PAGES: Final[dict[str, tuple[Window, ...]]] = {
    "/": (
        Window(873, 511, 21, "fr", "dark", touch=False),
        Window(320, 939, 21, "de", "light", touch=False),
        Window(335, 425, 21, "de", "light", touch=False),
        Window(1292, 893, 21, "it", "dark", touch=False),
        Window(1144, 828, 18, "fr", "dark", touch=False),
        Window(1088, 706, 18, "de", "light", touch=True),
        Window(733, 697, 21, "de", "dark", touch=False),
        Window(488, 420, 21, "de", "dark", touch=True),
    ),
    "/tables": (Window(1177, 901, 18, "it", "dark", touch=False),),
    "/tables/…": (Window(1102, 899, 21, "de", "light", touch=False),),
    "/tables/…/log": (Window(1842, 748, 16, "ja", "light", touch=False),),
    "/tables/…/review": (Window(799, 935, 21, "fr", "dark", touch=False),),
    "/tables/…/fair?verify=1": (Window(577, 457, 16, "fr", "light", touch=False),),
    "/tables/…/analysis?at=12": (Window(463, 1209, 16, "de", "light", touch=True),),
    "/analysis/shanghaien/setup": (Window(340, 360, 21, "ja", "dark", touch=True),),
    "/learn/dutchman/5": (
        Window(975, 1426, 16, "en", "light", touch=True),
        Window(782, 507, 16, "en", "light", touch=True),
    ),
    "/tournaments/…": (Window(351, 548, 21, "it", "light", touch=False),),
    "/open/dutchman": (Window(498, 493, 18, "it", "light", touch=True),),
    "/games": (Window(851, 953, 21, "de", "dark", touch=False), Window(1003, 872, 16, "it", "light", touch=False)),
    "/records/…": (Window(320, 675, 21, "en", "dark", touch=True),),
    "/puzzles/dutchman/000b6e5": (
        Window(1325, 898, 21, "en", "light", touch=False),
        Window(1832, 1346, 16, "de", "dark", touch=False),
    ),
    "/puzzles/dutchman": (Window(1382, 869, 16, "en", "light", touch=False),),
}
"""Windows by kind of page: its path with “…” in place of the id of a table or a tournament."""


def failed_scenes(game: str, players: int) -> Sequence[tuple[str, Window]]:
    """Return titles of scenes of a game with such windows; none in ``./test``, which draws others."""
    return first_cases(0, _SCENES.get((game, players), ()))


def failed_windows(kind: str) -> Sequence[Window]:
    """Return such windows of a kind of page beyond the tables; none in ``./test``, which draws others."""
    return first_cases(0, _PAGES.get(kind, ()))
