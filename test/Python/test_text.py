"""Tokenizer round trips, chat template, streaming."""

import json
import shutil

import pytest
import synthetic

from tp.errors import UserError
from tp.text import Text

SAMPLES = [
    "hello world",
    "  two  spaces, a tab\tand\n\nlines",
    "digits 1234567890 3.14",
    "naïve café, Привет, 你好, 🙂🙂",
    "it's we're I'll <|im_start|>user\nhello<|im_end|>",
]


@pytest.mark.parametrize("name", ["tokenizer_config.json", "sentence_bert_config.json"])
def test_settings_are_objects(checkpoint_with_text, tmp_path, name):
    shutil.copytree(checkpoint_with_text, tmp_path / "hf")
    (tmp_path / "hf" / name).write_text("[]")
    with pytest.raises(UserError, match=f"{name}' is not a JSON object"):
        Text(tmp_path / "hf")


@pytest.mark.parametrize("sample", SAMPLES)
def test_round_trip(checkpoint_with_text, sample):
    text = Text(checkpoint_with_text)
    ids = text.encode(sample)
    assert text.tokenizer.decode(ids, skip_special_tokens=False) == sample


def test_merges_and_digits(checkpoint_with_text):
    text = Text(checkpoint_with_text)
    tokens = synthetic.vocabulary()
    assert [tokens[i] for i in text.encode("hello world")] == ["hello", "Ġw", "o", "r", "l", "d"]
    assert [tokens[i] for i in text.encode("a12")] == ["a", "1", "2"]


def test_special_tokens(checkpoint_with_text):
    text = Text(checkpoint_with_text)
    assert text.encode("<|im_start|>a<|im_end|>")[0::2] == [1, 2]
    assert text.decode([1] + text.encode("hello") + [2]) == "hello"


@pytest.mark.parametrize("sample", SAMPLES[:-1])
def test_stream_equals_decode_and_never_splits_a_character(checkpoint_with_text, sample):
    text = Text(checkpoint_with_text)
    ids = [1] + text.encode(sample) + [2]
    stream = text.stream()
    pieces = [stream.step(token) for token in ids]
    assert not any("\ufffd" in piece for piece in pieces)
    assert "".join(pieces) + stream.rest() == text.decode(ids) == sample


def test_stream_rest_is_an_unfinished_character(checkpoint_with_text):
    text = Text(checkpoint_with_text)
    ids = text.encode("a🙂")[:-1]
    stream = text.stream()
    assert "".join(stream.step(token) for token in ids) == "a"
    assert stream.rest() == text.decode(ids)[1:] != ""


def test_chat(checkpoint_with_text):
    text = Text(checkpoint_with_text)
    assert text.render_chat("hello") == "<|im_start|>user\nhello<|im_end|>\n<|im_start|>assistant\n"


def test_errors(checkpoint_with_text, tmp_path):
    with pytest.raises(UserError, match="tokenizer.json' does not exist"):
        Text(tmp_path)
    shutil.copytree(checkpoint_with_text, tmp_path / "hf")
    with pytest.raises(UserError, match="the prompt is empty"):
        Text(tmp_path / "hf").encode("")
    message = r"a text of 3 tokens exceeds the program's 2 \(--truncate cuts it\)"
    with pytest.raises(UserError, match=message):
        Text(tmp_path / "hf").encode_for_embedding("123", 2)
    with pytest.raises(UserError, match="the text is empty"):
        Text(tmp_path / "hf").encode_for_embedding(" ", 8)
    with pytest.raises(UserError, match="the prompt is no valid text: "):
        Text(tmp_path / "hf").encode("\udc80")
    config = json.loads((tmp_path / "hf/tokenizer_config.json").read_text())
    del config["chat_template"]
    (tmp_path / "hf/tokenizer_config.json").write_text(json.dumps(config))
    with pytest.raises(
        UserError, match=r"hf' has no chat template \(tokenizer_config.json\); give a plain prompt"
    ):
        Text(tmp_path / "hf").render_chat("hello")
    config["chat_template"] = "{{ raise }} {% for %}"
    (tmp_path / "hf/tokenizer_config.json").write_text(json.dumps(config))
    with pytest.raises(UserError, match="the chat template of '.*' fails: "):
        Text(tmp_path / "hf").render_chat("hello")
    (tmp_path / "hf/tokenizer.json").write_text("{")
    with pytest.raises(UserError, match="tokenizer.json' is not a readable tokenizer: "):
        Text(tmp_path / "hf")
    (tmp_path / "hf/tokenizer_config.json").write_text("{")
    shutil.copy(checkpoint_with_text / "tokenizer.json", tmp_path / "hf")
    with pytest.raises(UserError, match="tokenizer_config.json' is not JSON"):
        Text(tmp_path / "hf")


def test_bos_is_added_when_the_checkpoint_says_so(write_gguf, tmp_path):
    from tp import gguf

    gguf.convert(write_gguf(add_bos=True), tmp_path / "hf")
    text = Text(tmp_path / "hf")
    assert text.encode("a")[0] == 1 and len(text.encode("a")) == 2
