"""What a player who waits for a table is told and asked: no line without end, one question at a time."""

import asyncio

from p2p_stonehenge.failure import Failure
from p2p_stonehenge.lobby.telling import Lines, Prompts
from p2p_stonehenge.text.sparing import AT_ONCE, EVERY


class Told(list[str]):
    """The lines that were told, and the time."""

    def __init__(self) -> None:
        self.now = 0.0
        self.lines = Lines(self.append, lambda: self.now)


def test_a_trouble_is_told_once_and_news_until_it_is_no_news() -> None:
    told = Told()
    for text in ("slow", "slow", "lost", "slow"):
        told.lines.once(text)
    assert told == ["slow", "lost"]
    told.clear()
    for text in ("1 of 3", "1 of 3", "2 of 3", "1 of 3"):
        told.lines.news("seats", text)
    told.lines.news("options", "1 of 3")
    assert told == ["1 of 3", "2 of 3", "1 of 3", "1 of 3"]


def test_news_that_came_too_fast_is_told_when_it_comes_again() -> None:
    told = Told()
    for number in range(AT_ONCE + 1):
        told.lines.news("seats", f"{number} of 9")
    assert told == [f"{number} of 9" for number in range(AT_ONCE)]
    told.now += EVERY
    told.lines.news("seats", f"{AT_ONCE} of 9")
    assert told[-1] == f"{AT_ONCE} of 9"


def test_one_question_is_put_at_a_time_and_can_be_taken_back() -> None:
    asked, failures = list[str](), list[Failure]()

    async def main() -> None:
        questions, answered = Prompts(failures.append), asyncio.Event()

        async def question(text: str) -> None:
            asked.append(text)
            await answered.wait()
            if text == "left":
                raise Failure("left at the question", 0)

        questions.put(question("first"))
        questions.put(question("meanwhile"))
        await asyncio.sleep(0)
        assert questions.is_asking
        answered.set()
        while questions.is_asking:
            await asyncio.sleep(0)
        questions.put(question("left"))
        while questions.is_asking:
            await asyncio.sleep(0)
        answered.clear()
        questions.put(question("last"))
        await asyncio.sleep(0)
        questions.stop()
        while questions.is_asking:
            await asyncio.sleep(0)

    asyncio.run(main())
    assert asked == ["first", "left", "last"]
    assert [str(failure) for failure in failures] == ["left at the question"]
