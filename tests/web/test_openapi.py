"""The document of the API tells the truth, and nothing breaks the house: calls of every kind, right and wrong, are
answered as ``/openapi.json`` says; and forms of every kind as a person can understand."""

from __future__ import annotations

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

from web.conftest import Served
from web.guests import Guest, open_shanghaien
from web.moments import moments, person_of, table_of

CHECKS: Final = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    negative_data_rejection,
]

BOUNDED: Final = settings(
    max_examples=15,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)
"""The same examples each time, and few enough to be tried often."""


@pytest.fixture(scope="module")
def tables(served: Served) -> Iterator[tuple[Guest, list[str]]]:
    """Anna, and tables of hers at every stage: nobody has joined, in the middle of a game, over."""
    with served.guest("Anna") as anna, served.guest("Bernd") as bernd:
        waiting = open_shanghaien(anna).removeprefix("/tables/")
        playing = table_of(served, [anna, bernd], "shanghaien")
        over = table_of(served, [anna, bernd], "shanghaien")
        for _ in moments(served, over, Random(1), set()):
            pass
        yield anna, [waiting, playing, over, "nothing"]


def test_programs_are_answered_as_the_document_says(served: Served, tables: tuple[Guest, list[str]]) -> None:
    anna, ids = tables
    bearer = {"authorization": f"Bearer {served.house.api_token(person_of(served, anna))}"}
    senders = st.sampled_from([bearer, {}, {"authorization": "Bearer wrong"}])
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
            if operation.path.endswith("/stream"):
                continue  # it would not end
            right = operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
            BOUNDED(given(case=right, table=st.sampled_from(ids), sender=senders)(check))()
            if operation.body or operation.query:
                wrong = operation.as_strategy(generation_mode=GenerationMode.NEGATIVE)
                BOUNDED(given(case=wrong, table=st.sampled_from(ids), sender=senders)(check))()
    assert {status for _, status in tried} >= {200, 201, 400, 401, 403, 404, 409, 422}
    assert len({operation for operation, _ in tried}) == sum(map(len, document.raw_schema["paths"].values())) - 1
