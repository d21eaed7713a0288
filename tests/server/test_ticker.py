"""The event's clock: it does not drift, and a stall shifts it instead of eating turns."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from cardrome.server.ticker import BEATS, Ticker


class Time:
    """A clock that only moves when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.log: list[str] = []
        self.ticks: list[float] = []
        self.work = 0.0
        """How long each tick takes."""

    def __call__(self) -> float:
        return self.now

    def tick(self) -> None:
        self.ticks.append(self.now)
        self.now += self.work

    def ticker(self, seconds: float = 1.0) -> Ticker:
        return Ticker(seconds, self.tick, self.log.append, self)

    def go_on(self, ticker: Ticker, until: float) -> None:
        """Let time pass on a machine that does everything in time."""
        while self.now < until:
            self.now = min(max(ticker._expected, self.now), until)
            ticker.serve_due()


def started(time: Time, test: Callable[[Ticker], None]) -> None:
    """Run a test with a started ticker, in a loop that does not run meanwhile: only `serve_due` ticks."""

    async def main() -> None:
        ticker = time.ticker()
        ticker.start()
        try:
            test(ticker)
        finally:
            ticker.stop()

    asyncio.run(main())


def test_nothing_is_due_before_the_first_turn_is_over() -> None:
    time = Time()

    def test(ticker: Ticker) -> None:
        assert ticker.due == 1001
        time.go_on(ticker, 1000.999)
        assert time.ticks == []
        time.now = 1001
        ticker.serve_due()
        ticker.serve_due()
        assert time.ticks == [1001]
        assert ticker.due == 1002
        time.go_on(ticker, 1010.5)
        assert time.ticks == [1000 + turn for turn in range(1, 11)]
        assert (ticker.late, ticker.worst_lag, time.log) == (0, 0, [])

    started(time, test)


def test_late_ticks_do_not_make_later_ones_late() -> None:
    time = Time()

    def test(ticker: Ticker) -> None:
        for turn in range(1, 101):
            time.go_on(ticker, 1000 + turn - 0.01)
            time.now = 1000 + turn + 0.2
            ticker.serve_due()
            assert ticker.due == pytest.approx(1000 + turn + 1)
        assert ticker.ticks == len(time.ticks) == 100
        assert ticker.late == 100
        assert ticker.last_lag == pytest.approx(0.2)
        assert ticker.worst_lag == pytest.approx(0.2)

    started(time, test)


@pytest.mark.parametrize("slept", [0.5, 0.9, 1.0, 1.5, 1.99, 3.5, 100.0])
@pytest.mark.parametrize("began", [0.0, 0.01, 0.3, 0.5, 0.99])
def test_a_stall_eats_no_turn(began: float, slept: float) -> None:
    """Nobody could do anything meanwhile: whoever was to move has all the time that they had before."""
    time = Time()

    def test(ticker: Ticker) -> None:
        time.go_on(ticker, 1001 + began)
        assert time.ticks == [1001]
        time.now += slept
        ticker.serve_due()
        assert time.ticks == [1001]
        assert 2 + slept - 1e-6 <= ticker.due - 1000 <= 2 + slept + 1 / BEATS
        [said] = time.log
        assert said.endswith(" s: this turn ends later by as much")
        assert ticker.late == 1
        assert slept - 1 / BEATS - 1e-6 <= ticker.worst_lag <= slept
        due = ticker.due
        time.go_on(ticker, due + 3.5)
        assert time.ticks == [1001, *(pytest.approx(due + turn) for turn in range(4))]
        assert len(time.log) == 1

    started(time, test)


def test_a_machine_that_is_always_late_still_ends_its_turns() -> None:
    time = Time()

    def test(ticker: Ticker) -> None:
        for _ in range(100):
            time.now = ticker.due + 1.5
            ticker.serve_due()
        assert len(time.ticks) == ticker.ticks == 100 // (BEATS + 1)
        assert len(time.log) <= ticker.ticks + 1  # one line for each turn

    started(time, test)


def test_ticks_that_take_longer_than_a_turn_leave_time_to_move() -> None:
    time = Time()
    time.work = 1.4

    def test(ticker: Ticker) -> None:
        time.go_on(ticker, 1001)
        assert len(time.ticks) == 1
        ticker.serve_due()  # it became due meanwhile
        assert len(time.ticks) == 1
        assert ticker.due == pytest.approx(1003.4)
        time.go_on(ticker, 1003.4)
        assert time.ticks == [1001, pytest.approx(1003.4)]

    started(time, test)


def test_a_bug_in_a_tick_does_not_stop_the_clock() -> None:
    time = Time()

    def broken() -> None:
        raise ZeroDivisionError("oops")

    async def main() -> None:
        ticker = Ticker(1.0, broken, time.log.append, time)
        ticker.start()
        time.go_on(ticker, 1002)
        assert ticker.ticks == 2
        assert "oops" in time.log[1]
        ticker.stop()

    asyncio.run(main())


def test_it_ticks_by_itself_until_it_is_stopped() -> None:
    async def main() -> None:
        done = asyncio.Event()
        counts: list[int] = []

        def tick() -> None:
            counts.append(1)
            if len(counts) == 3:
                ticker.stop()
                done.set()

        ticker = Ticker(0.01, tick, print)
        ticker.start()
        await done.wait()
        await asyncio.sleep(0.05)
        assert len(counts) == ticker.ticks == 3

    asyncio.run(main())
