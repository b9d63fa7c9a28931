"""Text for people: what is safe to print, how wide it is, which names look alike, how often something is said."""

__all__ = ["closest", "days", "names", "program", "seats", "sparing", "style"]
