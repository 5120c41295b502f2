"""The form for a new table, filled with the terms of another: it means the same table."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guests import FRIEND, ME, OPEN
from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.games.dutchman.rules.chart import MINI_CHART, OURS, Chart, Field, read_chart, write_chart
from kontor.games.shanghaien.rules import Options as ShanghaienOptions
from kontor.games.shanghaien.rules.components import TRICKS, TrickCounts
from kontor.server.composition import KontorServer
from kontor.tables.pages.opening import fields_of_table, plan_of
from kontor.tables.values import Pace, Plan, SeatPlan
from kontor.web.forms import Form

MACHINE = SeatPlan("machine", "Jonas", "casual")


@dataclass(frozen=True)
class Host:
    """A server with a person who opens tables."""

    service: KontorServer
    person: str


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    folder: Path = tmp_path_factory.mktemp("fields")
    with KontorServer.open(folder) as service:
        yield Host(service, service.people.guest("Anna")[0].id)


def counts() -> st.SearchStrategy[TrickCounts]:
    """Draw eight tricks of any kinds."""
    marks = st.lists(st.sampled_from(TRICKS), min_size=8, max_size=8)
    return marks.map(lambda drawn: TrickCounts(**{trick: drawn.count(trick) for trick in TRICKS}))


SHANGHAIEN: st.SearchStrategy[Any] = st.builds(
    ShanghaienOptions,
    tricks=counts(),
    starter=st.sampled_from([None, 0, 1]),
    first_trick=st.sampled_from([None, *TRICKS]),
)
DUTCHMAN: st.SearchStrategy[Any] = st.builds(
    DutchmanOptions,
    players=st.just(4),
    starter=st.sampled_from([None, 0, 1, 2, 3]),
    circles=st.integers(0, 5),
    check=st.sampled_from(["never", "on request"]),
)
PACES = st.one_of(
    st.just(Pace()),
    st.builds(Pace, st.just("live"), st.integers(5, 3600), st.integers(0, 240).map(lambda minutes: 60 * minutes)),
    st.builds(Pace, st.just("slow"), st.integers(1, 1440).map(lambda hours: 3600 * hours)),
)


@given(
    options=st.one_of(SHANGHAIEN, DUTCHMAN),
    pace=PACES,
    agreed=st.fixed_dictionaries(
        {
            "watch": st.booleans(),
            "stand_in": st.sampled_from(["ask", "at once", "never"]),
            "order": st.sampled_from(["given", "random"]),
            "hints": st.booleans(),
            "takeover": st.sampled_from(["casual", "expert"]),
            "tempo": st.sampled_from(["calm", "brisk", "at once"]),
            "dice": st.sampled_from(["strict", "early"]),
        }
    ),
)
def test_the_filled_form_means_the_same_table(host: Host, options: Any, pace: Pace, agreed: dict[str, Any]) -> None:
    game = "dutchman" if isinstance(options, DutchmanOptions) else "shanghaien"
    others = (MACHINE, OPEN) if game == "dutchman" else ()
    plan = Plan(game, options, (ME, FRIEND, *others), pace=pace, **agreed)
    table = host.service.opening.open(host.person, plan)
    info = host.service.tables.info(table, host.person)
    host.service.opening.leave(table, host.person)
    again = plan_of(game, Form(fields_of_table(info, {0, 1}).items()))
    assert (again.options, again.pace) == (options, pace)
    assert [seat.kind for seat in again.seats] == [seat.kind for seat in plan.seats]
    assert again.strict_dice == plan.strict_dice
    same = ("watch", "stand_in", "order", "hints", "takeover", "tempo")
    assert {name: getattr(again, name) for name in same} == {name: agreed[name] for name in same}


def test_a_chart_is_written_as_it_is_read() -> None:
    turned = tuple(
        sorted((Field(field.name, field.at[::-1], field.colour) for field in OURS.fields), key=lambda it: it.at)
    )
    for chart in (OURS, Chart(OURS.holland, turned, OURS.short, OURS.long)):
        text = write_chart(chart)
        again = read_chart(text)
        assert {field.at: (field.name, field.colour) for field in again.fields} == {
            field.at: (field.name, field.colour) for field in chart.fields
        }
        assert (again.holland, set(again.short), set(again.long)) == (
            chart.holland,
            set(chart.short),
            set(chart.long),
        )
    assert 'name = "Holland"' in write_chart(MINI_CHART)
