"""Text for people: what is safe to print, how wide it is, which names look alike, how often something is said."""

__all__ = [
    "closest",
    "names",
    "output",
    "palettes",
    "program",
    "safe",
    "seats",
    "sentences",
    "sparing",
    "times",
    "widths",
]
