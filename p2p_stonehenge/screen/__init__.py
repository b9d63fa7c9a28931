"""What a person sees and types: boards, prompt, questions."""

__all__ = [
    "analysing",
    "asking",
    "at_the_end",
    "background",
    "config_page",
    "join_page",
    "keyboard",
    "pages",
    "plain",
    "playback",
    "replaying",
    "start_page",
    "start_rows",
    "terminal",
    "turning",
    "views",
    "wizard",
]
