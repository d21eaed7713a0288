"""The example that asks a language model: with a good one, a bad one, a slow one and none at all, over real sockets."""

from __future__ import annotations

import importlib.util
import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

import cardrome
from tests.cli.runner import cardrome as command
from tests.paths import ROOT

FOLDER = ROOT / "examples" / "llm"

Replies = Callable[[Any], tuple[int, Any]]
"""From a request to the status and the body of the reply; text is a chat's answer."""


class Asked:
    """What the server was asked."""

    def __init__(self) -> None:
        self.url = ""
        self.questions: list[Any] = []
        self.paths: list[str] = []
        self.keys: list[str | None] = []


@contextmanager
def model(reply: Replies) -> Iterator[Asked]:
    """A small server that answers as told."""
    asked = Asked()

    class Handler(BaseHTTPRequestHandler):
        wbufsize = -1  # head and body in one packet

        def do_POST(self) -> None:
            asked.paths.append(self.path)
            asked.keys.append(self.headers.get("Authorization"))
            question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.questions.append(question)
            status, body = reply(question)
            if isinstance(body, str):
                body = {"choices": [{"message": {"role": "assistant", "content": body}}]}
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            if status in (302, 307):
                self.send_header("Location", "http://127.0.0.1:9/elsewhere")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        asked.url = f"http://127.0.0.1:{server.server_port}/v1"
        yield asked
        server.shutdown()


def last(question: Any) -> str:
    text: str = question["messages"][-1]["content"]
    return text


def last_listed(question: Any) -> tuple[int, str]:
    """Answers with the last action of the list, politely."""
    number = last(question).rstrip().rpartition("\n")[2].partition(":")[0]
    return 200, f"I have thought about it for 3 seconds.\n\n**I choose {number}.**"


@pytest.fixture
def agent(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    spec = importlib.util.spec_from_file_location("language_model", FOLDER / "language_model.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module.time, "sleep", lambda seconds: None)

    def make(asked: Asked, **settings: Any) -> Any:
        for name, value in {"URL": asked.url, "MODEL": "tiny", "TIMEOUT": 60, **settings}.items():
            monkeypatch.setenv(f"LLM_{name}", str(value))
        return module.LanguageModel()

    return make


@pytest.mark.parametrize("edition", ["locm-1.2", "tapdeck"])
def test_it_plays_matches(edition: str) -> None:
    with model(last_listed) as asked:
        env = {"LLM_URL": asked.url, "LLM_MODEL": "tiny", "LLM_KEY": "s3cret"}
        done = command(
            *("match", "language_model:LanguageModel", "random", "-e", edition, "--games", 2, "--jobs", 1, "--json"),
            cwd=FOLDER,
            env=env,
        )
    assert done.returncode == 0, done.stderr
    assert "by chance" not in done.stderr
    assert json.loads(done.stdout)["games"] == 2
    assert {*asked.paths} == {"/v1/chat/completions"}
    assert {*asked.keys} == {"Bearer s3cret"}
    assert len(asked.questions) > 40
    question = asked.questions[-1]
    assert question["model"] == "tiny"
    assert [message["role"] for message in question["messages"]] == ["system", "user"]
    assert "a card game for two" in question["messages"][0]["content"]


def test_a_whole_turn_at_once(agent: Callable[..., Any]) -> None:
    with model(
        lambda question: (200, {"choices": [{"message": {"content": [{"text": "5, 6"}, {"text": ", 5"}]}}]})
    ) as asked:
        player = agent(asked)
        assert player.plan(cardrome.new_game("locm-1.5", seed=1).view(0)) == ["CHOOSE 5", "CHOOSE 6", "CHOOSE 5"]
        assert player.act(cardrome.new_game("locm-1.5", seed=1).view(0)) == "CHOOSE 5"
    assert asked.keys == [None, None]


def test_the_model_is_told_what_was_wrong(agent: Callable[..., Any], capsys: pytest.CaptureFixture[str]) -> None:
    answers = iter(["the best card, please", "2"])
    with model(lambda question: (200, next(answers))) as asked:
        assert agent(asked).plan(cardrome.new_game("locm-1.2", seed=1).view(0)) == ["PICK 2"]
    assert last(asked.questions[1]).startswith(
        "That cannot be used: no action found in 'the best card, please'; answer"
    )
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("reply", "reason", "questions"),
    [
        (lambda question: (200, "7"), "there is no action 7; they go from 0 to 2", 2),
        (lambda question: (200, ""), "the answer is empty", 2),
        (lambda question: (200, None), "TypeError", 3),
        (lambda question: (200, {"choices": []}), "IndexError", 3),
        (lambda question: (200, {"error": "no such model"}), "KeyError", 3),
        (lambda question: (200, b"<html>"), "JSONDecodeError", 3),
        (lambda question: (200, b"[" * 100_000), "RecursionError", 3),
        (lambda question: (200, b" " * (2 << 20)), "the reply is too long", 3),
        (lambda question: (503, "busy"), "the server replied 503", 3),
        (lambda question: (401, "who are you?"), "the server replied 401", 1),
        (lambda question: (302, "elsewhere"), "the server replied 302", 1),
        (lambda question: (307, "elsewhere"), "the server replied 307", 1),
    ],
)
def test_without_a_usable_answer_a_legal_action_is_taken(
    agent: Callable[..., Any], capsys: pytest.CaptureFixture[str], reply: Replies, reason: str, questions: int
) -> None:
    view = cardrome.new_game("locm-1.2", seed=1).view(0)
    with model(reply) as asked:
        player = agent(asked, KEY="s3cret")
        [action] = player.plan(view)
    assert action in view.legal_actions
    assert len(asked.questions) == questions
    told = capsys.readouterr().err
    assert reason in told
    assert told.endswith(f"; taking {action} by chance\n")
    assert player.guessed == 1


def test_a_slow_model_and_one_that_is_gone(agent: Callable[..., Any], capsys: pytest.CaptureFixture[str]) -> None:
    view, over = cardrome.new_game("locm-1.2", seed=1).view(0), threading.Event()

    def reply(question: Any) -> tuple[int, Any]:
        over.wait()
        return 200, "0"

    with model(reply) as asked:
        slow = agent(asked, TIMEOUT=0.1, RETRIES=1)
        assert slow.plan(view)[0] in view.legal_actions
        assert len(asked.questions) == 2
        assert "TimeoutError" in capsys.readouterr().err
        over.set()
    with socket.socket() as taken:  # a port on which nobody listens, and nobody else can
        taken.bind(("127.0.0.1", 0))
        asked.url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        gone = agent(asked)
        assert gone.plan(view)[0] in view.legal_actions
    assert "Connection refused" in capsys.readouterr().err


def test_the_budget_of_a_game(agent: Callable[..., Any], capsys: pytest.CaptureFixture[str]) -> None:
    view = cardrome.new_game("locm-1.2", seed=1).view(0)
    with model(lambda question: (200, "1")) as asked:
        player = agent(asked, BUDGET=2)
        chosen = [player.act(view) for _ in range(5)]
        assert chosen[:2] == ["PICK 1", "PICK 1"]
        assert capsys.readouterr().err.count("the budget of 2 questions a game is spent") == 3
        player.begin(1)
        assert player.act(view) == "PICK 1"
        assert len(asked.questions) == 3


def test_an_address_that_cannot_be(agent: Callable[..., Any]) -> None:
    asked = Asked()
    for url in ("", "localhost", "file:///etc/passwd"):
        asked.url = url
        with pytest.raises(ValueError, match="LLM_URL is"):
            agent(asked)
