"""Times as people say them."""

import datetime


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
