"""A language model as an agent: asks any OpenAI-compatible endpoint, nothing but Python's standard library.

    LLM_URL=http://localhost:11434/v1 LLM_MODEL=llama3.2 cardrome match language_model:LanguageModel random

The environment says whom to ask, and how long to bear with it; see README.md. Whenever the model has no usable answer,
a legal action is taken by chance instead, and standard error tells why.
"""

import http.client
import json
import os
import random
import sys
import time
import urllib.error
import urllib.request

import cardrome
from cardrome.envs.text import PositionText

LARGEST = 1 << 20
"""Bytes of a reply; no answer needs more."""
BUSY = {408, 409, 425, 429, 500, 502, 503, 504}
"""Replies after which the same question may be asked again."""
UNUSABLE = (OSError, http.client.HTTPException, ValueError, LookupError, TypeError, AttributeError, RecursionError)
"""What goes wrong with a connection, or with a reply that is not what it should be."""
TASK = """You are playing a card game and want to win. You are told the rules once and then each position with all legal
actions. Answer with the numbers of the actions to take, in order and separated by commas, and nothing else."""


class NoAnswer(Exception):
    """The endpoint has not given an answer; the message says why."""


class Endpoint:
    """A server that completes chats."""

    def __init__(self, url, model, key, timeout, retries):
        if not url.startswith(("http://", "https://")):
            raise ValueError(f"LLM_URL is {url!r}; expected an address such as http://localhost:11434/v1")
        self.url = url.rstrip("/") + "/chat/completions"
        self.model, self.timeout, self.retries = model, timeout, retries
        self.headers = {"Content-Type": "application/json"}
        if key:
            self.headers["Authorization"] = f"Bearer {key}"
        self.opener = urllib.request.build_opener(NoRedirects)

    def ask(self, messages):
        """The model's answer to a conversation. Busy and silent servers are asked again, a little later each time."""
        for attempt in range(self.retries + 1):
            try:
                return self._ask(messages)
            except urllib.error.HTTPError as error:
                reason = f"the server replied {error.code} {error.reason}"
                if error.code not in BUSY:
                    break
            except UNUSABLE as error:
                reason = f"{type(error).__name__}: {error}"
            if attempt < self.retries:
                time.sleep(min(0.5 * 2**attempt, self.timeout))
        raise NoAnswer(reason)

    def _ask(self, messages):
        body = json.dumps({"model": self.model, "messages": messages}).encode()
        request = urllib.request.Request(self.url, body, self.headers)
        deadline, reply = time.monotonic() + self.timeout, b""
        with self.opener.open(request, timeout=self.timeout) as response:
            while piece := response.read1(1 << 16):  # the timeout is for each piece, the deadline for all of them
                reply += piece
                if len(reply) > LARGEST or time.monotonic() > deadline:
                    raise TimeoutError("the reply is too long" if len(reply) > LARGEST else "the reply took too long")
        content = json.loads(reply)["choices"][0]["message"]["content"]
        if isinstance(content, list):  # some servers answer in parts
            content = "".join(part.get("text", "") for part in content)
        return str(content or "")


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """The key is for the server that was named, and for no other."""

    def redirect_request(self, *_):
        return None


class LanguageModel(cardrome.Agent):
    """Asks a language model at LLM_URL for its turns."""

    def __init__(self):
        number = {name: float(os.environ.get(f"LLM_{name}", value)) for name, value in NUMBERS.items()}
        self.endpoint = Endpoint(
            os.environ.get("LLM_URL", ""),
            os.environ.get("LLM_MODEL", "default"),
            os.environ.get("LLM_KEY", ""),
            number["TIMEOUT"],
            int(number["RETRIES"]),
        )
        self.corrections, self.budget = int(number["CORRECTIONS"]), int(number["BUDGET"])
        self.begin(0)

    def begin(self, seed):
        self.chance = random.Random(seed)
        self.asked = self.guessed = 0

    def act(self, view):
        return self.plan(view)[0]

    def plan(self, view):
        """As many actions as the model names and the rules allow."""
        text = PositionText(view)
        if len(text.actions) == 1:
            return list(text.actions.values())
        messages = [
            {"role": "system", "content": f"{TASK}\n\n{text.rules}"},
            {"role": "user", "content": text.position},
        ]
        try:
            for _ in range(self.corrections + 1):
                if self.asked >= self.budget:
                    raise NoAnswer(f"the budget of {self.budget} questions a game is spent")
                self.asked += 1
                answer = self.endpoint.ask(messages)
                reading = text.read(answer)
                if reading.actions:
                    return list(reading.actions)
                messages += [
                    {"role": "assistant", "content": answer},
                    {"role": "user", "content": f"That cannot be used: {reading.problem}."},
                ]
            raise NoAnswer(reading.problem)
        except NoAnswer as error:
            self.guessed += 1
            action = self.chance.choice(list(text.actions.values()))
            print(f"language model: {error}; taking {action} by chance", file=sys.stderr)
            return [action]


NUMBERS = {"TIMEOUT": 60, "RETRIES": 2, "CORRECTIONS": 1, "BUDGET": 500}
"""Seconds for a reply; further attempts if there is none; further questions if it cannot be used; questions a game."""
