"""Event loops in tests."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def run_in_thread(work: Coroutine[Any, Any, None]) -> None:
    """Run the coroutine in another thread: Playwright keeps an event loop in this one while a browser is open."""
    with ThreadPoolExecutor(1) as threads:
        threads.submit(asyncio.run, work).result()
