"""Parts of a server that the routes of rule books and lessons use."""

from __future__ import annotations

from dataclasses import dataclass, field

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from kontor.lessons.book_pictures import BookPictures
from kontor.tables.site import TablesSite


@dataclass(frozen=True, kw_only=True)
class LessonsSite(TablesSite):
    """A server on the web, with its rule books and lessons."""

    book_pictures: BookPictures = field(default_factory=BookPictures)


TheLessonsSite = NamedDependency[SkipValidation[LessonsSite]]
