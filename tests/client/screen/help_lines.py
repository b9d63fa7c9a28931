"""What `help` lists."""


def commands_in(lines: list[str]) -> set[str]:
    """The commands that stand in lines of `help`, of which some share one."""
    forms = [line.strip().split("  ")[0] for line in lines if line.startswith("  ")]
    return {part.split()[0] for form in forms for part in form.split(", ")}
