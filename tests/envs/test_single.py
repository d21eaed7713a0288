"""The Gymnasium environments, one at a time."""

from __future__ import annotations

import zlib
from typing import Any
from xml.etree import ElementTree

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import RenderCollection

import cardrome.envs
from cardrome import Agent
from cardrome.engine.kernel import INTERPRETED
from cardrome.envs.single import CardEnv
from cardrome.envs.spaces import FORMS
from cardrome.envs.vector import CardVectorEnv
from cardrome.errors import CallerError
from cardrome.games.drawing import HEIGHT, WIDTH
from cardrome.games.family import find_edition, find_family
from cardrome.games.learning.episodes import Observer


def has_task(edition: str, task: str) -> bool:
    """An edition has a draft or constructed decks, not both."""
    try:
        find_family(edition).encoding(find_edition(edition), task)
    except CallerError:
        return False
    return True


def hash_of(text: str) -> int:
    return zlib.crc32(text.encode())


EDITIONS = [
    (name, edition)
    for name, keywords in cardrome.envs.ENVIRONMENTS.items()
    for edition in find_family(keywords["edition"]).editions
    if has_task(edition, keywords["task"])
]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("name", "edition"), EDITIONS)
def test_gymnasium_finds_nothing_to_complain_about(name: str, edition: str) -> None:
    """In every edition, alone and as a vector of three, with an observation that fits its space at every step."""
    form = FORMS[hash_of(edition) % len(FORMS)]
    check_env(gymnasium.make(name, edition=edition, observation=form, render_mode="ansi").unwrapped)
    envs = gymnasium.make_vec(name, 3, "vector_entry_point", edition=edition, observation=form)
    observations, _ = envs.reset(seed=1)
    assert isinstance(envs.unwrapped, CardVectorEnv)
    for _ in range(40):
        assert observations in envs.observation_space
        actions = envs.unwrapped.action_masks().argmax(axis=1)
        observations, rewards, terminated, truncated, _ = envs.step(actions)
        assert rewards.shape == terminated.shape == truncated.shape == (3,)


@pytest.mark.parametrize("name", cardrome.envs.ENVIRONMENTS)
def test_positions_are_shown(name: str) -> None:
    """From the first position of an episode to its last; the same in a vector environment."""
    env = gymnasium.make(name, disable_env_checker=True, max_turns=30).unwrapped
    assert env.render() is None
    observation, _ = env.reset(seed=2)
    pages: list[Any] = []
    pictures: list[Any] = []
    over, steps = False, 0
    while not over:
        action = int(np.flatnonzero(observation["action_mask"])[-1])
        observation, _, terminated, truncated, _ = env.step(action)
        over, steps = terminated or truncated, steps + 1
        if over or steps % 10 == 1:
            for mode, shown in (("html", pages), ("rgb_array", pictures)):
                env.render_mode = mode
                shown.append(env.render())
    assert len(set(pages)) == len(pages) > 3
    for page in pages:
        assert [each.tag.rpartition("}")[2] for each in ElementTree.fromstring(page)].count("text") > 3
    assert {(picture.shape, picture.dtype) for picture in pictures} == {((HEIGHT, WIDTH, 3), np.dtype(np.uint8))}
    assert len({picture.tobytes() for picture in pictures}) == len(pages)
    envs: Any = gymnasium.make_vec(name, 2, "vector_entry_point", render_mode="html", max_turns=30)
    with pytest.raises(gymnasium.error.ResetNeeded):
        envs.render()
    envs.reset(seed=[2, 3])
    env.reset(seed=3)
    env.render_mode = "html"
    assert envs.render()[1] == env.render()


def test_a_film_is_made_of_pictures() -> None:
    film: Any = RenderCollection(gymnasium.make("cardrome/Battle-v0", render_mode="rgb_array"))
    film.reset(seed=1)
    film.step(0)
    assert len(film.render()) == 2


def play(name: str, seed: int, decide: Any, **keywords: Any) -> tuple[float, dict[str, Any], list[int]]:
    """Play an episode; returns the sum of its rewards, the last info, and the actions."""
    env = gymnasium.make(name, disable_env_checker=True, **keywords).unwrapped
    assert isinstance(env, CardEnv)
    observation, info = env.reset(seed=seed)
    total, actions, over = 0.0, [], False
    while not over:
        actions.append(int(decide(env, observation)))
        observation, reward, terminated, truncated, info = env.step(actions[-1])
        total += reward
        over = terminated or truncated
    return total, info, actions


@pytest.mark.parametrize(
    ("name", "edition"), [("Battle", "locm-1.2"), ("Match", "locm-1.2"), ("Match", "locm-1.5"), ("Tapdeck", "tapdeck")]
)
def test_an_episode_is_a_game_of_bulk_play(name: str, edition: str) -> None:
    """A learner who decides as a built-in agent does plays that agent's games: same deals, same chance, same ends."""
    family, chosen = find_family(edition), find_edition(edition)
    ours, theirs = family.agents["greedy"].kernel, family.agents["random"].kernel
    assert ours is not None
    assert theirs is not None
    games = family.play_bulk(chosen, (ours, theirs), family.seeds(5, 1))
    agent = family.agents["greedy"].new(0)

    def decide(env: CardEnv, observation: Any) -> int:
        code = int(agent.act(env.view))
        if edition == "tapdeck":
            return next(
                k
                for k in np.flatnonzero(observation["action_mask"]).tolist()
                if env.action_text(k) == env.view.action_text(code)
            )
        return code + (chosen.n_actions if env.view.phase != "battle" else 0)

    for seat in (0, 1):
        reward, info, _ = play(
            f"cardrome/{name}-v0",
            5,
            decide,
            edition=edition,
            opponent="random",
            seat=seat,
            deck_builder=("greedy", None),
        )
        assert (reward > 0) == (games[seat].winner == 0)
        assert info["winner"] == games[seat].winner ^ seat


class First(Agent):
    """Takes the first legal action."""

    def act(self, view: Any) -> str:
        return view.legal_actions[0]


def first_legal(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    return masks.argmax(axis=1)


@pytest.mark.parametrize(("name", "edition"), [("Battle", "locm-1.2"), ("Match", "locm-1.5"), ("Draft", "locm-1.0")])
def test_opponents_may_be_python_code(name: str, edition: str) -> None:
    """An agent by class, by name, as an object, and a policy that does the same: the same episodes."""

    def last_legal(env: Any, observation: Any) -> int:
        return int(np.flatnonzero(observation["action_mask"])[-1])

    agents: list[Any] = [First, f"{__name__}:First", First()]
    if name != "Draft":  # whose observations say nothing of battles
        agents.append(first_legal)
    played = [
        play(f"cardrome/{name}-v0", 3, last_legal, edition=edition, opponent=who, pilot="random") for who in agents
    ]
    assert all(each == played[0] for each in played)


def test_an_illegal_action_ends_the_turn() -> None:
    env = gymnasium.make("cardrome/Battle-v0", disable_env_checker=True, seat=0).unwrapped
    assert isinstance(env, CardEnv)
    observation, _ = env.reset(seed=1)
    illegal = int(np.flatnonzero(observation["action_mask"] == 0)[0])
    _, _, _, _, info = env.step(illegal)
    assert info == {"illegal_action": True}
    assert env.game.turn == 2
    with pytest.raises(gymnasium.error.ResetNeeded):
        gymnasium.make("cardrome/Battle-v0", disable_env_checker=True).unwrapped.step(0)


def test_wrong_keywords_are_explained() -> None:
    for keywords, words in (
        ({"edition": "locm-1.2", "task": "constructed"}, "it has battle, draft and match"),
        ({"opponent": "nobody"}, "nobody"),
        ({"seat": 3}, "expected 0, 1, alternate or random"),
        ({"reward": "beauty"}, "health, board, hand"),
        ({"reward": "score"}, "has no scores"),
        ({"deals": []}, "empty book"),
        ({"sort_cards": True}, "no cards are offered"),
        ({"task": "draft", "alternatives": 11}, "allowed are 1 to 10"),
        ({"task": "draft", "alternatives": 0}, "allowed are 1 to 10"),
        ({"task": "draft", "alternatives": "5"}, "expected a whole number"),
        ({"deck_size": 31}, "5 .* to 30 .cards have ids for no more"),
        ({"edition": "locm-1.5", "deck_size": 4}, "deck_size is 4"),
        ({"edition": "tapdeck", "task": "match", "deck_size": 0}, "deck_size is 0; allowed are 1 to 1000"),
        ({"edition": "locm-1.5", "task": "match", "alternatives": 2}, "locm-1.5 has no draft"),
        ({"edition": "tapdeck", "task": "match", "alternatives": 2}, "tapdeck offers no cards"),
        ({"task": "draft", "opponent": first_legal}, "a policy cannot decide in battle"),
        ({"task": "draft", "pilot": first_legal}, "a policy cannot decide in battle"),
        ({"deck_builder": first_legal}, "a policy cannot decide in deck building"),
        ({"max_turns": 0}, "at least 1"),
        ({"opponent": {"random": -1}}, "weights above 0"),
        ({"render_mode": "human"}, "ansi, html, rgb_array"),
        ({"observation": "pixels"}, "flat, rllib, structured, vector"),
    ):
        with pytest.raises(CallerError, match=words):
            CardEnv(**{"edition": "locm-1.2", "task": "battle", **keywords})  # type: ignore[arg-type]


@pytest.mark.parametrize("opponent", ["greedy", "rule-based", "random", First])
def test_drafts_with_other_numbers_of_cards_and_sorted_ones(opponent: Any) -> None:
    keywords: dict[str, Any] = {"edition": "locm-1.2", "task": "draft", "opponent": opponent, "seat": 0}
    plain = CardEnv(observation="structured", **keywords)
    varied = CardEnv(observation="structured", deck_size=10, alternatives=5, **keywords)
    ordered = CardEnv(observation="structured", deck_size=10, alternatives=5, sort_cards=True, **keywords)
    assert varied.action_space == gymnasium.spaces.Discrete(5)
    shown = [env.reset(seed=8)[0] for env in (plain, varied, ordered)]
    for t in range(10):
        game: Any = varied.game
        offers = game.deals["offers"][0, t, :5].tolist()
        order = np.argsort(offers)
        assert (shown[1]["offer"][:3] == shown[0]["offer"]).all()
        assert (shown[2]["offer"] == shown[1]["offer"][order]).all()
        last = order.tolist().index(t % 3)  # the same card in all three
        assert ordered.action_text(last) == varied.action_text(t % 3) == plain.action_text(t % 3) == f"PICK {t % 3}"
        results = [env.step(action) for env, action in ((plain, t % 3), (varied, t % 3), (ordered, last))]
        shown = [result[0] for result in results]
    assert [result[2] for result in results] == [False, True, True]
    assert results[1][1] == results[2][1]
    game = varied.game
    cards = [held.card.number for held in plain.view.players[0].deck]  # type: ignore[attr-defined]
    player = game.state.players[0]
    left = [*player.hand["card"][: player.n_hand], *player.deck["card"][: player.n_played]]
    left += [*player.deck["card"][30 - player.n_deck :]]
    assert sorted(int(card) + 1 for card in left) == sorted(cards)


def test_scores_as_rewards() -> None:
    """The score as a part of the highest one."""
    ends = set()
    for seed in range(6):
        rewards = []
        for reward in ("score", {"win": 2, "score": 8}):
            env = CardEnv(edition="tapdeck", task="match", opponent="greedy", reward=reward, seat=seed % 2)
            observation, _ = env.reset(seed=seed)
            over, total = False, 0.0
            while not over:
                action = int(np.flatnonzero(observation["action_mask"])[-1 if seed < 3 else 0])
                observation, gain, over, _, info = env.step(action)
                total += gain
            rewards.append(total)
        game: Any = env.game
        assert rewards[0] == game.scores[seed % 2] / 120
        won = 0 if info["winner"] == 2 else 1 if info["winner"] == seed % 2 else -1
        assert rewards[1] == 2 * won + 8 * rewards[0]
        ends.add(game.health[0] > game.health[1])
    assert len(ends) == 2


@pytest.mark.skipif(INTERPRETED, reason="slow")
def test_an_environment_shows_what_an_observer_sees() -> None:
    env = CardEnv(edition="locm-1.5", task="match", opponent="greedy")
    look = Observer(find_family("locm-1.5"), env.encoding)
    observation, _ = env.reset(seed=9)
    over = False
    while not over:
        flat, mask = look.observe(env.view)
        assert flat.tobytes() == observation["observation"].tobytes()
        assert mask.tobytes() == observation["action_mask"].tobytes()
        observation, _, terminated, truncated, _ = env.step(int(np.flatnonzero(mask)[-1]))
        over = terminated or truncated


@pytest.mark.parametrize(("edition", "task"), [("locm-1.2", "match"), ("locm-1.5", "battle"), ("tapdeck", "match")])
def test_the_state_is_what_both_players_see(edition: str, task: str) -> None:
    env = CardEnv(edition=edition, task=task, seat="random")
    look = Observer(find_family(edition), env.encoding)
    observation, _ = env.reset(seed=4)
    states = []
    for step in range(60):
        before = env.state()
        assert before in env.state_space
        assert before[: env.encoding.size].tobytes() == observation["observation"].tobytes()
        states.append(before[env.encoding.size :])
        if step == 40 and edition != "tapdeck":  # what they would see if it were for them to decide
            game = env.game
            game.state.current = 1 - game.state.current  # type: ignore[attr-defined]
            assert states[-1].tobytes() == look.observe(game)[0].tobytes()
        observation, _, terminated, truncated, _ = env.step(int(np.flatnonzero(observation["action_mask"])[-1]))
        if terminated or truncated:
            observation, _ = env.reset()
    assert len({state.tobytes() for state in states}) > 10
