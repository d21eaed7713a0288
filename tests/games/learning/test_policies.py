"""Policies in files: what is read, what is refused, and how they play."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

import cardrome
from cardrome.arena.players.player import parse_player
from cardrome.errors import CallerError, InvalidPosition
from cardrome.games.family import find_family
from cardrome.games.learning.policies import FACTS, Facts, Network, read_policy, write_policy

FAMILY = find_family("locm-1.2")
ENCODING = FAMILY.encoding(FAMILY.editions["locm-1.2"], "battle")


def facts(**changes: Any) -> Facts:
    known = {"edition": "locm-1.2", "task": "battle", "encoding": ENCODING.digest, "elsewhere": "greedy"}
    return Facts(**{**known, **changes})


def network(*sizes: int, seed: int = 1) -> Network:
    random = np.random.default_rng(seed)
    shape = [ENCODING.size, *sizes, ENCODING.n_actions]
    layers = [(random.normal(size=(a, b)), random.normal(size=b)) for a, b in pairwise(shape)]
    return Network([(w.astype(np.float16).astype(np.float32), b.astype(np.float16)) for w, b in layers], "tanh")


def play(name: str, pairs: int = 1, edition: str = "locm-1.2") -> Any:
    return cardrome.play_series(edition, name, "random", pairs, seed=3).games


@pytest.fixture
def file(tmp_path: Path) -> Path:
    write_policy(tmp_path / "p.npz", facts(activation="tanh", title="made by chance"), network(8))
    return tmp_path / "p.npz"


def test_a_policy_is_read_as_it_was_written(file: Path) -> None:
    rows = np.random.default_rng(2).random((5, ENCODING.size), np.float32)
    policy = read_policy(file)
    assert policy.facts == facts(activation="tanh", title="made by chance")
    assert np.allclose(policy.scorer(rows), network(8)(rows), atol=1e-5)


def test_actions_are_legal_and_drawn_by_their_scores(file: Path) -> None:
    policy, masks = read_policy(file), np.zeros((2000, ENCODING.n_actions), np.int8)
    masks[:, [3, 70]] = 1
    rows = np.zeros((2000, ENCODING.size), np.float32)
    scores = policy.scorer(rows)[0, [3, 70]]
    assert set(policy(rows, masks).tolist()) == {[3, 70][int(scores.argmax())]}
    drawn = policy(rows, masks, np.random.default_rng(3))
    share = 1 / (1 + np.exp(scores[1] - scores[0]))
    assert set(drawn.tolist()) <= {3, 70}
    assert abs((drawn == 3).mean() - share) < 0.05


def test_a_policy_plays_matches(file: Path) -> None:
    name = f"policy:{file}"
    assert parse_player(name, FAMILY).agent == name
    assert (play(name, 2) == play(name, 2)).all()


def test_a_policy_knows_the_variant_it_was_trained_on(tmp_path: Path) -> None:
    varied = FAMILY.variant(FAMILY.editions["locm-1.2"], 10, 5)
    encoding = FAMILY.encoding(varied, "draft")
    layer = np.zeros((encoding.size, 5), np.float32), np.arange(5, dtype=np.float32)
    known = facts(task="draft", encoding=encoding.digest, deck_size=10, alternatives=5)
    write_policy(tmp_path / "p.npz", known, Network([layer]))
    agent = FAMILY.find_agent(f"policy:{tmp_path / 'p.npz'}").make()
    game = FAMILY.new_game(varied, FAMILY.deal(varied, {"seed": "1"}))
    assert str(agent.act(game.view(0))) == "4"
    with pytest.raises(CallerError, match=r"cannot play locm-1\.2"):
        play(f"policy:{tmp_path / 'p.npz'}")
    write_policy(tmp_path / "q.npz", facts(deck_size=1 << 40), network(8))
    with pytest.raises(CallerError, match="deck_size is 1099511627776"):
        read_policy(tmp_path / "q.npz")
    with pytest.raises(InvalidPosition, match=r"variant of locm-1\.2"):
        cardrome.to_json(game)


def test_a_policy_refuses_what_it_was_not_trained_for(file: Path, tmp_path: Path) -> None:
    with pytest.raises(CallerError, match="cannot play tapdeck"):
        play(f"policy:{file}", edition="tapdeck")
    with pytest.raises(CallerError, match=r"policy .*nowhere.npz cannot be read: No such file"):
        play(f"policy:{tmp_path / 'nowhere.npz'}")
    draft = FAMILY.encoding(FAMILY.editions["locm-1.2"], "draft")
    zeros = Network([(np.zeros((draft.size, 3), np.float32), np.zeros(3, np.float32))])
    write_policy(tmp_path / "d.npz", facts(task="draft", encoding=draft.digest), zeros)
    with pytest.raises(CallerError, match=r"no task 'draft'"):
        play(f"policy:{tmp_path / 'd.npz'}", edition="locm-1.5")


def header(dtype: str, shape: object, content: bytes = b"") -> bytes:
    text = f"{{'descr': {dtype!r}, 'fortran_order': False, 'shape': {shape}}}".encode()
    text += b" " * (-(len(text) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + content


def packed(**members: bytes) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(f"{name}.npy", content)
    return data.getvalue()


def said(**changes: Any) -> bytes:
    text = msgspec.json.encode(facts(**changes))
    return header("|u1", f"({len(text)},)", text)


LAYER = {
    "weights0": header(
        "<f2", f"({ENCODING.size}, {ENCODING.n_actions})", bytes(2 * ENCODING.size * ENCODING.n_actions)
    ),
    "bias0": header("<f2", f"({ENCODING.n_actions},)", bytes(2 * ENCODING.n_actions)),
}
SHORT = header("<f2", "(7,)", bytes(14))
HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "not a zip file": (lambda: b"PK\x03\x04 but no more", "not a file of arrays"),
    "an object that would be unpickled": (
        lambda: packed(**{FACTS: said(), "weights0": header("|O", "(1,)", b"\x80\x04K\x01."), "bias0": SHORT}),
        "an array of object",
    ),
    "a shape that would fill the memory": (
        lambda: packed(**{FACTS: said(), "weights0": header("<f4", "(1000000, 1000000)"), "bias0": SHORT}),
        "0 bytes in an array of the shape",
    ),
    "a shape below nothing": (
        lambda: packed(**{FACTS: said(), "weights0": header("<f4", "(-1, -1)", bytes(4)), "bias0": SHORT}),
        "of the shape",
    ),
    "a bomb": (lambda: packed(**{FACTS: said(), "weights0": bytes(65 << 20)}), "it unpacks to more than"),
    "many layers": (lambda: packed(**{f"weights{k}": SHORT for k in range(40)}), "at most 16 layers"),
    "no facts": (lambda: packed(**LAYER), "which would say what it plays"),
    "facts that are none": (lambda: packed(**{FACTS: header("|u1", "(2,)", b"[]"), **LAYER}), "its facts are wrong"),
    "an edition that is none": (lambda: packed(**{FACTS: said(edition="locm-9"), **LAYER}), "unknown edition"),
    "a module to be imported": (
        lambda: packed(**{FACTS: said(elsewhere="os:abort"), **LAYER}),
        "elsewhere is 'os:abort'",
    ),
    "an encoding of another time": (lambda: packed(**{FACTS: said(encoding="0"), **LAYER}), "encoded as 0"),
    "layers that do not fit": (lambda: packed(**{FACTS: said(), **LAYER, "bias0": SHORT}), "layer 0 has weights"),
    "half a layer": (lambda: packed(**{FACTS: said(), **LAYER, "weights1": SHORT, "more": SHORT}), "layer 1"),
    "no numbers": (
        lambda: packed(
            **{
                FACTS: said(),
                **LAYER,
                "bias0": header("<f2", f"({ENCODING.n_actions},)", b"\x00\x7e" * ENCODING.n_actions),
            }
        ),
        "not finite",
    ),
    "scores of other actions": (
        lambda: packed(**{FACTS: said(), "weights0": header("<f2", "(332, 7)", bytes(2 * 332 * 7)), "bias0": SHORT}),
        "scores have the shape",
    ),
    "other observations": (
        lambda: packed(**{FACTS: said(), "weights0": header("<f2", "(7, 7)", bytes(98)), "bias0": SHORT}),
        "cannot read an observation",
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused(name: str, tmp_path: Path) -> None:
    make, complaint = HOSTILE[name]
    (tmp_path / "h.npz").write_bytes(make())
    with pytest.raises(CallerError, match=complaint):
        read_policy(tmp_path / "h.npz")


def test_onnx_models(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    onnx = pytest.importorskip("onnx")
    helper, kind = onnx.helper, onnx.TensorProto.FLOAT
    (weights, bias), path = network().layers[0], tmp_path / "m.onnx"
    arrays = [onnx.numpy_helper.from_array(a.astype(np.float32), n) for a, n in ((weights, "w"), (bias, "b"))]
    graph = helper.make_graph(
        [helper.make_node("Gemm", ["observation", "w", "b"], ["scores"])],
        "policy",
        [helper.make_tensor_value_info("observation", kind, ["n", ENCODING.size])],
        [helper.make_tensor_value_info("scores", kind, ["n", ENCODING.n_actions])],
        arrays,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    path.write_bytes(model.SerializeToString())
    with pytest.raises(CallerError, match="which would say what it plays"):
        read_policy(path)
    helper.set_model_props(model, {FACTS: msgspec.json.encode(facts()).decode()})
    path.write_bytes(model.SerializeToString())
    write_policy(tmp_path / "m.npz", facts(), network())
    rows = np.random.default_rng(2).random((3, ENCODING.size), np.float32)
    assert np.allclose(read_policy(path).scorer(rows), read_policy(tmp_path / "m.npz").scorer(rows), atol=1e-3)
    games = [play(f"policy:{tmp_path / name}") for name in ("m.onnx", "m.npz")]
    assert (games[0] == games[1]).all()
    (tmp_path / "x.onnx").write_bytes(b"no model")
    with pytest.raises(CallerError, match="not a model"):
        read_policy(tmp_path / "x.onnx")
