"""Parts of a server that the routes of accounts use."""

from __future__ import annotations

from dataclasses import dataclass

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from kontor.accounts.blocking import Blocking
from kontor.accounts.leaving import Leaving
from kontor.accounts.mail_sign_in import MailSignIn
from kontor.accounts.merging import Merging
from kontor.accounts.own_data import Export
from kontor.accounts.passkeys import Passkeys
from kontor.accounts.recovery import Recovery
from kontor.ahead.site import AheadSite
from kontor.clubs.site import ClubsSite
from kontor.holidays.site import HolidaysSite
from kontor.moving.site import MovingSite
from kontor.notes.site import NotesSite
from kontor.notifying.site import NotifyingSite
from kontor.own_records.site import OwnRecordsSite


@dataclass(frozen=True, kw_only=True)
class AccountsSite(ClubsSite, NotifyingSite, HolidaysSite, OwnRecordsSite, NotesSite, AheadSite, MovingSite):
    """A server on the web, with its accounts."""

    recovery: Recovery
    passkeys: Passkeys
    offers_passkeys: bool
    """True if people can have passkeys, where their browsers support them."""
    leaving: Leaving
    export: Export
    blocking: Blocking
    merging: Merging
    mail_sign_in: MailSignIn


TheAccountsSite = NamedDependency[SkipValidation[AccountsSite]]
