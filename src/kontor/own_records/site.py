"""Parts of a server that the routes of people's own records use."""

from __future__ import annotations

from dataclasses import dataclass

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from kontor.own_records.store import OwnRecords
from kontor.studies.reviews import Reviews
from kontor.studies.site import StudiesSite


@dataclass(frozen=True, kw_only=True)
class OwnRecordsSite(StudiesSite):
    """A server on the web, with the records that people have brought."""

    own_records: OwnRecords
    record_reviews: Reviews


TheOwnRecordsSite = NamedDependency[SkipValidation[OwnRecordsSite]]
