"""Books of deals: every way to write one, what is refused, and that the games are played on them."""

import contextlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardrome.arena.openings import parse_openings, read_openings
from cardrome.arena.result import SeriesResult
from cardrome.arena.series import play_series
from cardrome.errors import CallerError
from cardrome.games.locm.rules.deal import LocmDeal
from cardrome.games.locm.rules.edition import LOCM_12, find_edition

OFFERS = ",".join(["1 2 3"] * 30)

BOOK = f"""\
# a comment, then an empty line

17
-5   # a seed with a comment
seed=1 draftChoicesSeed=2
  {{"seed": 3, "shufflePlayer0Seed": "4"}}
seed=6 'predefinedDraftIds={OFFERS}'
"""


def same_games(one: SeriesResult, other: SeriesResult) -> bool:
    return one.games.tobytes() == other.games.tobytes()


def test_all_forms_are_understood() -> None:
    book = parse_openings(BOOK, LOCM_12)
    assert book.deals == (
        LocmDeal(17),
        LocmDeal(-5),
        LocmDeal(1, {"draftChoicesSeed": "2"}),
        LocmDeal(3, {"shufflePlayer0Seed": "4"}),
        LocmDeal(6, {"predefinedDraftIds": OFFERS}),
    )
    assert not book.plain
    assert parse_openings("1\n2\n", LOCM_12).plain
    assert parse_openings("\ufeff1\r\n2\r\n".lstrip("\ufeff"), LOCM_12).seeds(2).tolist() == [1, 2]


def test_deals_come_round_again() -> None:
    book = parse_openings("1\n2\n3\n", LOCM_12)
    assert book.seeds(7).tolist() == [1, 2, 3, 1, 2, 3, 1]
    assert [book.deal(k).seed for k in range(7)] == book.seeds(7).tolist()


def test_digest_is_that_of_the_deals() -> None:
    plain = parse_openings("1\n2\n", LOCM_12)
    assert plain.digest == parse_openings('# two\nseed=1\n\n{"seed": 2}', LOCM_12, "other").digest
    assert plain.digest != parse_openings("2\n1\n", LOCM_12).digest
    assert plain.digest != parse_openings("1\nseed=2 draftChoicesSeed=3\n", LOCM_12).digest


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("soon", "seed is 'soon'; expected a whole number"),
        ("9" * 30, "expected a whole number"),
        ("1 2", "expected a single seed, or name=value pairs"),
        ("seed=1 draftSeed=2", "unknown deal parameter of locm-1.2 'draftSeed'; did you mean draftChoicesSeed"),
        ("seed=1 draftChoicesSeed=x", "draftChoicesSeed is 'x'"),
        ("seed=1 seed=2", "seed is given twice"),
        ("draftChoicesSeed=2", "the seed is missing"),
        ("seed=1 predefinedDraftIds=1_2_3", "30 groups"),
        ('seed=1 "predefinedDraftIds=1 2', "quotation mark"),
        ('{"seed": 1', "expected a JSON object"),
        ('{"seed": [1]}', "expected a JSON object of numbers and texts"),
        ('{"seed": 1.5}', "expected a JSON object of numbers and texts"),
        ("seed=1 cardGenSeed=2", "unknown deal parameter of locm-1.2 'cardGenSeed'"),
    ],
)
def test_errors_name_the_line(line: str, message: str) -> None:
    with pytest.raises(CallerError, match=r"book.txt, line 3: ") as caught:
        parse_openings(f"# first\n1\n{line}\n2\n", LOCM_12, "book.txt")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"# nothing\n\n", "no deals; write one per line"), (b"\xff\xfe", "not valid UTF-8"), (None, "No such file")],
)
def test_unusable_files_are_refused(tmp_path: Path, content: bytes | None, message: str) -> None:
    path = tmp_path / "book.txt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(CallerError, match=message) as caught:
        read_openings(path, LOCM_12)
    assert "book.txt" in str(caught.value)


def test_a_byte_order_mark_does_not_hurt(tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    path.write_bytes(b"\xef\xbb\xbf1\r\n2\r\n")
    book = read_openings(path, LOCM_12)
    assert [deal.seed for deal in book.deals] == [1, 2]
    assert book.name == "book.txt"


@given(st.text())
def test_any_text_is_a_book_or_refused(text: str) -> None:
    with contextlib.suppress(CallerError):
        assert len(parse_openings(text, LOCM_12)) > 0


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_plain_book_is_played_in_order(jobs: int) -> None:
    book = parse_openings("5\n-7\n11\n", LOCM_12)
    result = play_series(LOCM_12, "greedy", "random", 8, 0, jobs, openings=book)
    assert result.games.seed[::2].tolist() == [5, -7, 11, 5, -7, 11, 5, -7]
    assert np.array_equal(result.games[:6].tobytes(), result.games[6:12].tobytes())
    assert result.summary()["openings"] == {"name": "openings", "deals": 3, "digest": book.digest}
    assert result.summary()["seed"] is None


@pytest.mark.parametrize("edition", ["locm-1.2", "locm-1.5"])
def test_overrides_that_change_nothing_give_the_same_games_through_python(edition: str) -> None:
    chosen = find_edition(edition)
    plain = parse_openings("1\n2\n3\n", chosen)
    name = chosen.seed_names[0]
    spelled = "\n".join(f"seed={s} {name}={LocmDeal(s).seeds(chosen)[name]}" for s in (1, 2, 3))
    same = parse_openings(spelled, chosen)
    assert plain.plain
    assert not same.plain
    fast, slow = (play_series(chosen, "rule-based", "greedy", 3, 0, openings=book) for book in (plain, same))
    assert same_games(fast, slow)


def test_overrides_reach_the_games_whatever_the_jobs() -> None:
    book = parse_openings(f"seed=1 'predefinedDraftIds={OFFERS}'\nseed=1\n", LOCM_12)
    one, two = (play_series(LOCM_12, "greedy", "random", 4, 0, jobs, openings=book) for jobs in (1, 2))
    assert same_games(one, two)
    assert one.games[:2].tobytes() != one.games[2:4].tobytes()
    assert one.games[:4].tobytes() == one.games[4:].tobytes()
