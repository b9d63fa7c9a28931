"""A reason or an error as a sentence."""


def sentence(text: str) -> str:
    """Return a text with a capital letter and a full stop."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
