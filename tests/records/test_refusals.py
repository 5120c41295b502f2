"""Refusals of each kind of damage, with the line and the rule."""

import re

import pytest

from kontor.records import sections
from records.damages import DAMAGES
from records.made import DOCS, refusal_of


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_wrong_is_refused_with_the_line_and_the_rule(damage: str) -> None:
    data, sentence = DAMAGES[damage]
    assert str(refusal_of(data)) == sentence


def test_every_section_named_by_a_refusal_is_there() -> None:
    headings = {
        f"{page.name}#{re.sub('[^a-z -]', '', title.lower()).replace(' ', '-')}"
        for page in DOCS.glob("*.md")
        for title in re.findall(r"^##+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    }
    named = {value for name, value in vars(sections).items() if ".md#" in str(value)}
    assert len(named) == 11
    assert named <= headings
