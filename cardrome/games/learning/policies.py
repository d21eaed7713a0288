"""Trained policies as agents: ``policy:FILE`` names one wherever an agent can be named.

A file holds a small network (``.npz``, weights as arrays) or any model that ONNX Runtime runs (``.onnx``, extra
``onnx``), and says for which task and encoding it was trained. In phases of the game that its task does not have, a
built-in agent that the file names decides.

Files are hostile until proven otherwise: nothing in them is executed, sizes are bounded before memory is taken, and
whatever does not fit the encoding is refused. ONNX models are run by ONNX Runtime, which executes no code of theirs
either, but is a large program: take them from people you trust.
"""

from __future__ import annotations

import functools
import io
import os
import threading
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Literal, Protocol

import msgspec
import numpy as np
import numpy.typing as npt

from cardrome.errors import CallerError
from cardrome.games.agents import Agent, AgentKind
from cardrome.games.family import AnyFamily, find_family
from cardrome.games.game import Edition
from cardrome.games.learning.encoding import Encoding, Floats
from cardrome.games.learning.episodes import Observer
from cardrome.games.replay_files import write_whole
from cardrome.wording import counted, json_problem, unreadable

PREFIX = "policy:"
"""What the name of a policy begins with."""
SIZE_LIMIT = 64 << 20
"""Bytes of a file, and of what is packed in it."""
MOST_LAYERS = 16
FACTS = "cardrome"
"""The array, or the metadata of an ONNX model, that holds the facts as JSON."""

Mask = npt.NDArray[np.int8]


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What a file says about its policy."""

    edition: str
    """Where it was trained. It plays every edition that is encoded in the same way."""
    deck_size: int | None = None
    alternatives: int | None = None
    """Which variant of the edition that was, if it was one."""
    task: str
    encoding: str
    """The digest of the encoding it was trained on."""
    activation: Literal["relu", "tanh"] = "relu"
    """The function between the layers."""
    elsewhere: str = "random"
    """The built-in agent that decides in phases that the task does not have."""
    title: str = ""
    """What it is, in a few words."""


class Scorer(Protocol):
    """What a file holds: it says how good each action is, in many positions at once."""

    def __call__(self, observations: Floats) -> Floats:
        """A score for each action; those of illegal ones mean nothing."""


class Network:
    """Layers, with an activation between them. The last one's outputs are the actions' scores."""

    def __init__(self, layers: Sequence[tuple[Floats, Floats]], activation: str = "relu") -> None:
        self.layers, self.activation = list(layers), activation

    def __call__(self, observations: Floats) -> Floats:
        """The scores of all actions."""
        values = observations
        for weights, bias in self.layers[:-1]:
            values = values @ weights + bias
            values = np.tanh(values, out=values) if self.activation == "tanh" else np.maximum(values, 0, out=values)
        weights, bias = self.layers[-1]
        return values @ weights + bias


class TrainedPolicy:
    """A policy that was read from a file or is being trained: facts and a network. It decides for many games at once.

    ``policy(observations, masks)`` gives the best action of each; given a generator it draws them, so that good ones
    are likelier.
    """

    def __init__(self, facts: Facts, scorer: Scorer) -> None:
        self.facts, self.scorer = facts, scorer

    def __call__(self, observations: Floats, masks: Mask, random: np.random.Generator | None = None) -> Any:
        """The number of an action for each game."""
        scores = np.where(masks != 0, self.scorer(observations), -np.inf)
        if random is not None:
            scores += random.gumbel(size=scores.shape)
        return scores.argmax(1)

    @functools.cached_property
    def family(self) -> AnyFamily:
        """The game it plays."""
        return find_family(self.facts.edition)

    def encoding(self, edition: Edition) -> Encoding:
        """What it sees of an edition; `CallerError` if that is not what it was trained on."""
        facts = self.facts
        if edition.name not in self.family.editions:
            raise CallerError(f"a policy for {facts.edition} cannot play {edition.name}")
        found: Encoding = self.family.encoding(edition, facts.task)
        if found.digest != facts.encoding:
            raise CallerError(
                f"a policy for {facts.task} in {facts.edition}, encoded as {facts.encoding}, cannot play"
                f" {edition.name}, which is encoded as {found.digest}"
            )
        return found


# Reading and writing


def write_policy(path: str | os.PathLike[str], facts: Facts, network: Network) -> None:
    """Write a network to an ``.npz`` file; numbers are rounded to 16 bits. A file of that name is replaced at once."""
    arrays: dict[str, npt.NDArray[Any]] = {FACTS: np.frombuffer(msgspec.json.encode(facts), np.uint8)}
    for k, (weights, bias) in enumerate(network.layers):
        arrays |= {f"weights{k}": weights.astype(np.float16), f"bias{k}": bias.astype(np.float16)}
    packed = io.BytesIO()
    np.savez_compressed(packed, **arrays)  # type: ignore[arg-type]
    write_whole(Path(path), [packed.getvalue()])


def read_policy(path: str | os.PathLike[str]) -> TrainedPolicy:
    """The policy in a file; `CallerError` says what is wrong with it. A file that has not changed is read once."""
    try:
        status = os.stat(path)
        return _read(os.path.abspath(path), status.st_mtime_ns, status.st_size)
    except OSError as error:
        raise CallerError(f"policy {unreadable(path, error)}") from None
    except CallerError as error:
        raise CallerError(f"policy {os.fspath(path)!r}: {error}") from None


@functools.lru_cache(maxsize=32)
def _read(path: str, changed: int, size: int) -> TrainedPolicy:
    if size > SIZE_LIMIT:
        raise CallerError(f"it has {size:,} bytes; at most {SIZE_LIMIT:,} are read")
    with open(path, "rb") as file:
        data = file.read(SIZE_LIMIT)
    policy = _read_onnx(data) if path.endswith(".onnx") else _read_npz(data)
    facts, family = policy.facts, policy.family
    if facts.elsewhere not in family.agents:  # never a module: a file does not say what is imported
        raise CallerError(f"elsewhere is {facts.elsewhere!r}; expected one of {', '.join(family.agents)}")
    encoding = policy.encoding(family.variant(family.editions[facts.edition], facts.deck_size, facts.alternatives))
    blank = np.zeros((2, encoding.size), np.float32)
    try:
        scores = policy.scorer(blank)
    except Exception as error:  # whatever ONNX Runtime raises
        raise CallerError(f"it cannot read an observation of {encoding.size} numbers: {error}") from None
    if scores.shape != (2, encoding.n_actions):
        raise CallerError(f"its scores have the shape {scores.shape[1:]}; expected ({encoding.n_actions},)")
    return policy


def _facts(data: bytes | str) -> Facts:
    try:
        return msgspec.json.decode(data, type=Facts)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise CallerError(f"its facts are wrong: {json_problem(error)}") from None


def _read_npz(data: bytes) -> TrainedPolicy:
    try:
        arrays = dict(_arrays(data))
    except CallerError:
        raise
    except Exception as error:  # whatever the modules for zip files, their ways to pack, and NumPy's headers raise
        raise CallerError(f"not a file of arrays (.npz): {error}") from None
    if FACTS not in arrays:
        raise CallerError(f"it has no array {FACTS!r}, which would say what it plays")
    facts = _facts(arrays.pop(FACTS).tobytes())
    layers, width = [], None
    for k in range(len(arrays) // 2):
        weights, bias = (arrays.get(f"{name}{k}") for name in ("weights", "bias"))
        if weights is None or bias is None:
            raise CallerError(f"layer {k} is not complete: expected the arrays weights{k} and bias{k}")
        if weights.ndim != 2 or bias.shape != weights.shape[1:] or width not in (None, weights.shape[0]):
            given = "" if width is None else f", but is given {width} numbers"
            raise CallerError(f"layer {k} has weights {weights.shape} and bias {bias.shape}{given}")
        if not (np.isfinite(weights).all() and np.isfinite(bias).all()):
            raise CallerError(f"layer {k} has numbers that are not finite")
        width = weights.shape[1]
        layers.append((weights.astype(np.float32), bias.astype(np.float32)))
    if not layers or len(arrays) != 2 * len(layers):
        raise CallerError("expected layers: weights0 and bias0, weights1 and bias1, and so on")
    return TrainedPolicy(facts, Network(layers, facts.activation))


def _arrays(data: bytes) -> Mapping[str, npt.NDArray[Any]]:
    """The arrays of an ``.npz`` file: `numpy.load` would take memory for whatever shape a file claims to have."""
    found = {}
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = archive.infolist()
        if len(members) > 2 * MOST_LAYERS + 1:
            raise CallerError(f"it has {len(members)} arrays; at most {MOST_LAYERS} layers are read")
        if sum(member.file_size for member in members) > SIZE_LIMIT:
            raise CallerError(f"it unpacks to more than {SIZE_LIMIT:,} bytes")
        for member in members:
            with archive.open(member) as file:
                found[member.filename.removesuffix(".npy")] = _array(file, member.file_size)
    return found


def _array(file: IO[bytes], size: int) -> npt.NDArray[Any]:
    version = np.lib.format.read_magic(file)
    if version != (1, 0):
        raise ValueError(f"version {version} of NumPy's format")
    shape, columns_first, dtype = np.lib.format.read_array_header_1_0(file)
    if dtype not in (np.uint8, np.float16, np.float32, np.float64):
        raise ValueError(f"an array of {dtype}")
    content = file.read()
    if len(content) != dtype.itemsize * int(np.prod(shape, dtype=object)) or min(shape, default=1) < 0:
        raise ValueError(f"{len(content)} bytes in an array of the shape {shape}")
    return np.frombuffer(content, dtype).reshape(shape, order="F" if columns_first else "C")


def _read_onnx(data: bytes) -> TrainedPolicy:
    try:
        import onnxruntime
    except ImportError:
        raise CallerError("ONNX models need ONNX Runtime: pip install 'cardrome[onnx]'") from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # small models, and many games at once
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # its own classes have no common base
        raise CallerError(f"not a model that ONNX Runtime runs: {error}") from None
    inputs, outputs = session.get_inputs(), session.get_outputs()
    if len(inputs) != 1 or not outputs:
        raise CallerError(
            f"it has {counted(len(inputs), 'input')} and {counted(len(outputs), 'output')}; expected one input, the "
            "observation, and the scores as first output"
        )
    name, result = inputs[0].name, outputs[0].name
    facts = session.get_modelmeta().custom_metadata_map.get(FACTS)
    if facts is None:
        raise CallerError(f"it has no metadata {FACTS!r}, which would say what it plays")
    return TrainedPolicy(_facts(facts), lambda rows: np.asarray(session.run([result], {name: rows})[0], np.float32))


# Playing


class _Observers(threading.local):
    """Those of a thread: they take longer to make than to use."""

    def __init__(self) -> None:
        self.known: dict[tuple[Edition, str], Observer] = {}


_observers = _Observers()


class PolicyAgent(Agent):
    """A trained policy in one seat of one game. It always takes the best action."""

    def __init__(self, policy: TrainedPolicy) -> None:
        self._policy = policy
        self._elsewhere = policy.family.agents[policy.facts.elsewhere].make()

    def begin(self, seed: int) -> None:
        """A new game."""
        self._elsewhere.begin(seed)

    def act(self, view: Any) -> Any:
        """The action to take."""
        key = view.edition, self._policy.facts.task
        observer = _observers.known.get(key)
        if observer is None:
            encoding = self._policy.encoding(view.edition)
            observer = _observers.known[key] = Observer(self._policy.family, encoding)
        observation, mask = observer.observe(view)
        if not mask.any():
            return self._elsewhere.act(view)
        return observer.code_of(int(self._policy(observation[None], mask[None])[0]))


def policy_kind(name: str) -> AgentKind:
    """The agent that ``policy:FILE`` names."""
    policy = read_policy(name.removeprefix(PREFIX))
    facts = policy.facts
    description = facts.title or f"a trained policy for {facts.task} in {facts.edition}"
    return AgentKind(name, description, lambda: PolicyAgent(policy), check=lambda edition: policy.encoding(edition))
