"""Names, salts and chat, prepared for display."""

import pytest

from kontor.errors import BadName, BadText
from kontor.fair import commitment
from kontor.games.shanghaien.rules import SHANGHAIEN, Options
from kontor.people.texts import chat_of, check_salt, distinct, label_of, name_of
from kontor.records import new_header
from profiles import sample_cases


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Anna", "Anna"),
        ("  Anna   von \u00a0 Rügen ", "Anna von Rügen"),
        ("Zoe\u0308", "Zoë"),
        ("船長\u3000花子", "船長 花子"),
        ("<b>&amp;", "<b>&amp;"),
        ("👩\u200d👧", "👩\u200d👧"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("ක්\u200dෂ", "ක්\u200dෂ"),
        ("क्\u200cष", "क्\u200cष"),
        ("❤\ufe0f\u200d🔥", "❤\ufe0f\u200d🔥"),
        ("👩🏽\u200d🚀", "👩🏽\u200d🚀"),
        ("1\ufe0f\u20e3 Anna", "1\ufe0f\u20e3 Anna"),
        ("x" * 40, "x" * 40),
    ],
)
def test_a_name_is_composed_and_without_spaces_around(written: str, meant: str) -> None:
    assert name_of(written) == meant


@pytest.mark.parametrize(
    "written",
    [
        *("", "   ", "x" * 41, "x" * 100_000, "a\nb", "a\x00b", "a\u202eb", "a\u200bb", "\u200d", "\u0301", "\u3164"),
        *(
            "An\u200dna", "An\u200cna", "Anna\u200d", "\u200cAnna", "An\ufe0fna", "Anna\ufe0f", "An\ufe00na",
            "1\ufe0f",
        ),
        *(
            "Анна\u200dА", "花\u200d子", "葛\U000e0100", "Anna\u180b", "👩\u200dAnna", "Anna\u200d👩", "می\u200c",
            "👩\u200c👧",
        ),
        *("⚙ Kaspar", "⛭", "Kaspar\u26ee", "⚙\ufe0f"),
        *("a\u2028b", "a\ufeffb", "\u2800", "a\u2066b", "a\ue000b", "a\U000e0041b", "a\u2065b", "a" + "\u0301" * 60),
        *("An\ufff3na", "Anna\U000e0fff", "Anna\U00016fe4", "Anna\U0001d159", "Anna\U00013442"),
    ],
)  # fmt: skip
def test_a_name_that_cannot_be_shown_is_refused(written: str) -> None:
    with pytest.raises(BadName):
        name_of(written)


def test_half_a_character_does_no_harm() -> None:
    assert name_of("a\ud800b") == "a?b"
    assert chat_of("a\ud800b") == "a?b"
    assert label_of("a\ud800b") == "a?b"


def test_whatever_is_a_name_can_stand_in_a_record() -> None:
    for code in sample_cases(range(0x11000)):
        try:
            name = name_of(chr(code))
        except BadName:
            continue
        new_header(
            SHANGHAIEN,
            Options(),
            seats=(name, distinct(name, {name})),
            players=("person",) * 2,
            salts=("", ""),
            commitment=commitment(b"x"),
        )


def test_two_of_one_name_are_told_apart() -> None:
    assert distinct("Anna", ()) == "Anna"
    assert distinct("Anna", ("Anna", "Anna 2")) == "Anna 3"


@pytest.mark.parametrize(
    ("name", "other"),
    [
        *[("Anna", other) for other in ("\u0410nna", "ANNA", "anna", "An na", "Ann\u0430", "Annа", "\U0001d400nna")],
        *[
            ("Ian", "lan"), ("Ian", "1an"), ("IAN", "ian"), ("modern", "rnodern"), ("O", "0"), ("ΑΒ", "AB"),
            ("Zoë", "Zoe\u0308"),
        ],
        *[
            ("Anna", "An\u200dna"), ("Anna", "An\ufe0fna"), ("Anna 2", "Anna2"), ("Anna 1", "Anna l"),
            ("エ子", "工子"),
        ],
    ],
)  # fmt: skip
def test_two_names_that_look_alike_are_told_apart(name: str, other: str) -> None:
    """Check also a name that was given before joiners were refused."""
    for first, second in ((name, other), (other, name)):
        assert distinct(second, ("Bernd", first)) == f"{second} 2"


@pytest.mark.parametrize(
    ("name", "other"), [("Anna", "Anne"), ("Anna", "Hanna"), ("花子", "華子"), ("Zoë", "Zoe"), ("Анна", "Инна")]
)
def test_names_that_do_not_look_alike_stay_as_they_are(name: str, other: str) -> None:
    assert distinct(other, (name,)) == other


def test_a_salt_is_left_as_it_is_or_refused() -> None:
    assert check_salt(" zwo\u0308lf ") == " zwo\u0308lf "
    assert check_salt("") == ""
    for bad in ("x" * 61, "a\nb", "\ud800"):
        with pytest.raises(BadText):
            check_salt(bad)


def test_chat_keeps_its_lines_and_loses_what_is_not_seen() -> None:
    assert chat_of(" I pay\r\n\r\n\t5\u202e ducats\x07 \n") == "I pay\n5 ducats"
    assert chat_of("x" * 500) == "x" * 500
    for bad in ("", " \n ", "\u202e", "x" * 501, "x" * 100_000, "x\n" * 11):
        with pytest.raises(BadText):
            chat_of(bad)
