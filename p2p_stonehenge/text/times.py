"""Times as people say them."""

import datetime
import math


def whole_seconds(seconds: float | None) -> int | None:
    """Return seconds that are left as a screen shows them: begun ones count; None stays None.

    Sums of clock readings are off by some 1e-14: without rounding a minute would begin with 61 seconds.
    """
    return None if seconds is None else math.ceil(round(seconds, 3))


def spell(seconds: int) -> str:
    """Return a number of seconds as people write it: 90 is `1 min 30 s`."""
    parts = zip((seconds // 3600, seconds % 3600 // 60, seconds % 60), ("h", "min", "s"), strict=True)
    return " ".join(f"{number} {unit}" for number, unit in parts if number) or "0 s"


def day(when: float, now: float) -> str:
    """Return a time as people say it: `today 19:40`, `yesterday 08:05`, `3 May`, `3 May 2024`."""
    then, today = (datetime.datetime.fromtimestamp(time, datetime.UTC).astimezone() for time in (when, now))
    days = (today.date() - then.date()).days
    if days in (0, 1):
        return f"{('today', 'yesterday')[days]} {then:%H:%M}"
    year = f" {then.year}" if then.year != today.year else ""
    return f"{then.day} {_MONTHS[then.month - 1]}{year}"


_MONTHS = ("Jan", "Feb", "March", "April", "May", "June", "July", "Aug", "Sept", "Oct", "Nov", "Dec")
"""In English, whatever the locale: as all the other words."""
