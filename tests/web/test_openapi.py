"""Document of the API: it agrees with the server, and no call breaks the server.

Calls of every kind, right and wrong, are answered as ``/openapi.json`` says. Forms of every kind are answered so that
people understand it.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from random import Random
from typing import Any, Final

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)

from profiles import scale_examples
from web.conftest import Served
from web.guests import Guest, open_shanghaien
from web.positions import moments, table_of

CHECKS: Final = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    negative_data_rejection,
]

GAMES: Final = (("shanghaien", 2), ("dutchman", 3))

BOUNDED: Final = settings(
    max_examples=scale_examples(15),
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)
"""Settings that give the same examples each time, few enough to be tried often."""


pytestmark = pytest.mark.xdist_group("document of the API")
"""Mark that runs these tests in one process, where the tables are opened once."""


@pytest.fixture(scope="module")
def tables(served: Served) -> Iterator[tuple[Guest, list[str]]]:
    """Yield Anna and tables of every kind.

    Hers are before, in and after a game; one is someone else's, and one doesn't exist.
    """
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd, served.guest("Carla") as carla:
        waiting = open_shanghaien(anna).removeprefix("/tables/")
        playing = [table_of(served, [anna, bernd, carla][:players], game) for game, players in GAMES]
        over = table_of(served, [anna, bernd], "shanghaien")
        for _ in moments(served, over, Random(1), set()):
            pass
        private = open_shanghaien(bernd, chair__2="machine-random", watch="no").removeprefix("/tables/")
        yield anna, [waiting, *playing, over, private, "nothing"]


@pytest.mark.long
def test_programs_are_answered_as_the_document_says(served: Served, tables: tuple[Guest, list[str]]) -> None:
    anna, ids = tables
    document = schemathesis.openapi.from_url(f"{served.address}/openapi.json")
    tried = set()
    with requests.Session() as session:

        def check(case: Case[Any], table: str, sender: dict[str, str]) -> None:
            if "table" in case.path_parameters:
                case.path_parameters["table"] = table
            answer = case.call(base_url=served.address, session=session, headers=sender)
            tried.add((case.operation.label, answer.status_code))
            case.validate_response(answer, checks=CHECKS)

        for result in document.get_all_operations():
            assert isinstance(result, Ok), result
            operation = result.ok()
            # Each operation has its own token, as one of them revokes it.
            bearer = {"authorization": f"Bearer {served.service.people.api_token(served.person_id(anna))}"}
            senders = st.sampled_from([bearer, {}, {"authorization": "Bearer wrong"}])
            if operation.path.endswith("/stream"):
                continue  # its response would not end
            right = operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
            BOUNDED(given(case=right, table=st.sampled_from(ids), sender=senders)(check))()
            if operation.body or operation.query:
                wrong = operation.as_strategy(generation_mode=GenerationMode.NEGATIVE)
                BOUNDED(given(case=wrong, table=st.sampled_from(ids), sender=senders)(check))()
    assert {status for _, status in tried} >= {200, 201, 400, 401, 403, 404, 409, 422}
    assert len({operation for operation, _ in tried}) == sum(map(len, document.raw_schema["paths"].values())) - 1


@pytest.mark.process
def test_the_document_is_the_same_whatever_the_hash_seed() -> None:
    program = "from kontor.server.app import all_routes, openapi_document as document; print(document(all_routes()))"
    first, second = (
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")  # in these two, sets of the same methods have another order
    )
    assert b'"Pace"' in first
    assert first == second


FORMS: Final = {
    "/tables": "game circles starter first_trick tricks-nudge tricks-both tricks-reroll chart pace watch stand_in"
    " takeover tempo"
    " order salt chair-2 name-2 chair-3 name-3 chair-6",
    "/tables/{table}/moves": "number as move shoe put to colour gets0 pays0 gets1 pays1 gets2",
    "/tables/{table}/undo": "number undone",
    "/tables/{table}/undo-choice": "undo",
    "/tables/{table}/no-rematch": "",
    "/tables/{table}/chat": "text as",
    "/tables/{table}/sit": "at",
    "/tables/{table}/fill": "at player",
    "/tables/{table}/invitations": "at",
    "/tables/{table}/propose": "as",
    "/tables/{table}/agree": "as",
    "/tables/{table}/decline": "as",
    "/tables/{table}/claim": "at",
    "/tables/{table}/resign": "as",
    "/invitations/{table}/1/x": "name salt",
    "/name": "name next",
    "/settings": "theme language next",
}
"""Addresses of forms, and the fields that the server knows there."""

SAID: Final = (
    *("shanghaien", "dutchman", "roll", "place:3", "number:left", "nudge:2:3", "joker:both:F", "both"),
    *(
        "kontor", "smith", "lay", "put", "pass", "sail", "name", "propose", "accept", "show", "red", "blue green",
        "45 -2",
    ),
    *("machine-random", "friend", "open", "here", "none", "random", "live-60-600", "yes", "dark", "de"),
    *("[horseshoes", "٣", "1e9", "-0", "NaN", "../..", "\x00", "\ud7ff", "<b>", "//elsewhere.example"),
)  # fmt: skip
"""Values that mean something somewhere, and values that only look like them."""

fields = st.one_of(st.sampled_from(SAID), st.integers(-2, 70).map(str), st.integers().map(str), st.text(max_size=60))


@pytest.mark.parametrize("path", FORMS)
def test_whatever_a_form_holds_is_refused_or_done(served: Served, tables: tuple[Guest, list[str]], path: str) -> None:
    anna, ids = tables
    token = anna.get("/").forms[0].fields["token"]
    names = FORMS[path].split()
    expected_fields = st.dictionaries(st.sampled_from(names), fields, max_size=8) if names else st.just({})
    unknown_fields = st.dictionaries(st.text(max_size=20), st.text(max_size=20), max_size=2)

    @settings(BOUNDED, max_examples=scale_examples(30))
    @given(
        table=st.sampled_from(ids),
        expected_fields=expected_fields,
        unknown_fields=unknown_fields,
        script=st.booleans(),
    )
    def check(table: str, expected_fields: dict[str, str], unknown_fields: dict[str, str], script: bool) -> None:
        headers = {"sec-fetch-site": "same-origin"} | ({"hx-request": "true"} if script else {})
        if "number" in expected_fields and table in ids[1:4]:
            expected_fields["number"] = str(served.service.tables.info(table).number)
        answer = anna.client.post(
            path.format(table=table),
            data={**unknown_fields, **expected_fields, "token": token},
            headers=headers,
            follow_redirects=False,
        )
        assert answer.status_code < 500, answer.text
        assert answer.status_code in (200, 303) or 400 <= answer.status_code < 500

    check()
