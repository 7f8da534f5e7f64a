"""python -m tp.perplexity against the numpy reference."""

import math

import numpy as np
import pytest
from compiled import Model, need, rejected, run, succeed

from tp import perplexity, reference
from tp.text import Text

TEXT = "hello world, hell o well; the wörld says hello to a whole lot of hello worlds\n"


@pytest.fixture(scope="module")
def model(checkpoint_with_text, tmp_path_factory):
    need("tp-import", "tp-compile")
    folder = tmp_path_factory.mktemp("perplexity")
    options = ["--max-seq", 48, "--chunk", 10, "--batch", 2, "--all-logits"]
    return Model(checkpoint_with_text, folder, *options)


@pytest.fixture(scope="module")
def expected(checkpoint_with_text):
    return reference.load(checkpoint_with_text, np.float64)


def log_softmax(logits):
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def slow_perplexity(expected, ids, window, stride):
    """Each token by itself: the first window that holds it, cut before it."""
    losses = []
    for place in range(1, len(ids)):
        begin = next(b for b in range(0, len(ids), stride) if place < b + window)
        logits = reference.logits(expected, ids[begin:place], last_only=True)[0]
        losses.append(-log_softmax(logits)[ids[place]])
    return math.exp(np.mean(losses))


@pytest.mark.parametrize("window, stride", [(2, 1), (5, 2), (7, 6), (10, 3), (10, 9), (100, 50)])
@pytest.mark.parametrize("count", [2, 3, 9, 10, 11, 37])
def test_windows_cover_each_token_once(count, window, stride):
    seen = []
    for begin, end, counted in perplexity.windows(count, window, stride):
        assert begin % stride == 0 and end - begin <= window and end <= count
        assert counted > begin  # there is context
        seen += range(counted, end)
    assert seen == list(range(1, count))


@pytest.mark.parametrize("tp", [1, 2, 3])
@pytest.mark.parametrize("window, stride", [(48, 24), (20, 7), (11, 10)])
def test_perplexity(model, expected, checkpoint_with_text, tmp_path, capsys, tp, window, stride):
    file = tmp_path / "text"
    file.write_text(TEXT)
    arguments = [str(model.executable(tp)), "--weights", str(checkpoint_with_text)]
    arguments += ["--text", str(file), "--window", str(window), "--stride", str(stride)]
    assert perplexity.main([*arguments, "--", "--check-collectives"]) == 0
    words = capsys.readouterr().out.split()
    ids = Text(checkpoint_with_text).encode(TEXT)
    assert len(ids) > 48  # more than one window in every case
    assert words[2:] == [
        "tokens", str(len(ids) - 1), "window", str(window), "stride", str(stride),
    ]  # fmt: skip
    wanted = slow_perplexity(expected, ids, window, stride)
    assert words[0] == "perplexity"
    assert float(words[1]) == pytest.approx(wanted, rel=2e-5)


@pytest.mark.parametrize("tp", [1, 3])
def test_scores_of_rows(model, expected, tmp_path, tp):
    """--score: log-probabilities, and logits of all positions."""
    rows = [[5, 6, 7] * 7, [9, 8]]
    text = ";".join(",".join(map(str, row)) for row in rows)
    options = ["--weights", model.checkpoint, "--logits", tmp_path / "l.npy"]
    lines = succeed(model.executable(tp), "--score", "--tokens", text, *options).splitlines()
    logits = np.load(tmp_path / "l.npy")
    assert logits.shape == (2, 21, expected.config["vocab_size"])
    for row, line, found in zip(rows, lines, logits, strict=True):
        wanted = reference.logits(expected, row)
        np.testing.assert_allclose(found[: len(row)], wanted, atol=1e-4 * np.abs(wanted).max())
        chosen = log_softmax(wanted)[np.arange(len(row) - 1), row[1:]]
        np.testing.assert_allclose([float(x) for x in line.split(",")], chosen, atol=1e-3)


def test_wrong_input(model, checkpoint_with_text, tmp_path, capsys):
    file = tmp_path / "text"
    file.write_text(TEXT)

    def error(*arguments, text=file, executable=None):
        executable = executable or model.executable(2)
        common = [str(executable), "--weights", str(checkpoint_with_text), "--text", str(text)]
        assert perplexity.main([*common, *arguments]) == 2
        message = capsys.readouterr().err
        assert message.startswith("error: ") and message.count("\n") == 1
        return message

    assert "--window: expected a number from 2 to 48, got 49" in error("--window", "49")
    assert "expected a number from 2 to 48, got 1" in error("--window", "1")
    assert "--stride: expected a number from 1 to 9, got 10" in error(
        "--window", "10", "--stride", "10"
    )
    assert "expected a number from 1 to 9, got 0" in error("--window", "10", "--stride", "0")
    assert "cannot be read" in error(text=tmp_path / "none")
    (tmp_path / "one").write_text("h")
    assert "a text of at least two tokens is needed, found 1" in error(text=tmp_path / "one")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    assert "not text in UTF-8" in error(text=tmp_path / "bytes")
    assert "cannot run" in error(executable=tmp_path / "none")

    for option, printed in (("--describe", "{"), ("--help", "Runs a compiled model")):
        message = error("--", option)
        assert f"printed '{printed}" in message and "'logprobs' was expected" in message

    plain = Model(checkpoint_with_text, tmp_path, "--max-seq", 16, "--chunk", 8)
    message = error(executable=plain.executable(1))
    assert (
        "gives no logits of all positions; import the model with tp-import --all-logits" in message
    )
    command = [plain.executable(1), "--weights", plain.checkpoint, "--score", "--tokens", "1,2"]
    rejected(run(*command), "no logits of all positions")
