"""Encoders: embeddings of tiny random checkpoints and of a real one against numpy."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from compiled import Model, need, rejected, run, succeed

import model as models
from tp import embed, reference, tiny

RANKS = (1, 2, 3, 4)
SEQ = 13
BATCH = 3


class Encoder(Model):
    """A checkpoint that is compiled as an embedding model."""

    def embed(self, tp, texts, *arguments, plan="megatron"):
        """What the executable writes for rows of token ids."""
        path = self.folder / f"embedding-{plan}-tp{tp}.npy"
        path.unlink(missing_ok=True)
        rows = ";".join(",".join(map(str, text)) for text in texts)
        options = ["--weights", self.checkpoint, "--tokens", rows, "--embedding", path]
        output = succeed(self.executable(tp, plan), *options, "--check-collectives", *arguments)
        assert output == ""
        return np.load(path)


def texts_of(lengths, vocab):
    return [[(11 * i + 5 * n + 3) % vocab for i in range(n)] for n in lengths]


# More texts than rows of the program, shortest and longest ones beside each other.
LENGTHS = (SEQ, 1, 6, 2, SEQ, 9, 4)


def check(model, tp, plan="megatron", tolerance=1e-4):
    expected = reference.load(model.checkpoint)
    texts = texts_of(LENGTHS, expected.config["vocab_size"])
    found = model.embed(tp, texts, plan=plan)
    assert found.dtype == np.float32 and len(found) == len(texts)
    for row, text in zip(found, texts):
        wanted = reference.embedding(expected, text)
        if wanted.ndim == 2:  # of each token, zero behind the last
            assert not row[len(text) :].any()
            row = row[: len(text)]
        error = np.abs(row - wanted).max() / np.abs(wanted).max()
        assert error < tolerance, f"text of {len(text)}: differs by {error:.2e}"


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    """Makes, imports and remembers the checkpoints by what they are made with."""
    need("tp-import", "tp-compile")
    made = {}

    def get(modules=None, options=(), **changes):
        key = json.dumps([modules, options, changes], sort_keys=True)
        if key not in made:
            folder = tmp_path_factory.mktemp("encoder")
            checkpoint = tiny.make("bert", folder / "hf", **changes)
            if modules is not None:
                tiny.write_sentence_modules(checkpoint, **modules)
            sizes = ["--max-seq", SEQ, "--batch", BATCH]
            made[key] = Encoder(checkpoint, folder, *sizes, *options)
        return made[key]

    return get


@pytest.mark.parametrize("plan", ["megatron", "megatron-sp"])
@pytest.mark.parametrize("tp", RANKS)
def test_embeddings(encoder, tp, plan):
    check(encoder({}), tp, plan)


@pytest.mark.parametrize(
    "modules, changes",
    [
        (None, {}),
        ({"pooling": "cls_token", "normalize": False}, {"hidden_act": "gelu_new"}),
        ({"normalize": False}, {"hidden_act": "relu", "type_vocab_size": 1}),
        ({}, {"layer_norm_eps": 0.1, "max_position_embeddings": SEQ, "num_attention_heads": 1}),
    ],
)
def test_variant(encoder, modules, changes):
    for tp, plan in ((1, "megatron"), (3, "megatron"), (2, "megatron-sp")):
        check(encoder(modules, **changes), tp, plan)


def test_narrow_types(encoder):
    for dtype, tolerance in (("bf16", 8e-2), ("f16", 1e-2)):
        check(encoder({}, ["--dtype", dtype]), 2, tolerance=tolerance)


@pytest.mark.parametrize("tp", [2, 3, 4])
def test_collectives(encoder, tp):
    """Two sums a layer, and one for the embedding."""
    config = tiny.config_of("bert")
    model = encoder({})
    rows = model.explain(tp, "megatron")["entries"]["encode"]["collectives"]
    kinds = [r["kind"] for r in rows]
    assert kinds == ["all_reduce"] * (2 * config["num_hidden_layers"] + 1), rows
    for layer in range(config["num_hidden_layers"]):
        assert sum(f"layer.{layer}." in r["loc"] for r in rows) == 2


@pytest.mark.parametrize("tp", [2, 3, 4])
def test_collectives_of_the_sequence_parallel_plan(encoder, tp):
    """Two gathers and two scatters a layer, of the layer's activations."""
    config = tiny.config_of("bert")
    rows = encoder({}).explain(tp, "megatron-sp")["entries"]["encode"]["collectives"]
    elements = BATCH * tp * -(-SEQ // tp) * config["hidden_size"]
    for layer in range(config["num_hidden_layers"]):
        found = [(r["kind"], r["elements"]) for r in rows if f"layer.{layer}." in r["loc"]]
        assert found == [("all_gather", elements), ("reduce_scatter", elements)] * 2
    others = [(r["kind"], r["loc"]) for r in rows if "layer." not in r["loc"]]
    # The embedding's sum, and that of the pooling.
    assert others == [
        ("reduce_scatter", "embeddings.word_embeddings"),
        ("all_reduce", "pooling.sum"),
    ]


# --- The executable ---------------------------------------------------------


def test_printed_and_served(encoder):
    """The numbers of the file, on standard output and as answers."""
    model = encoder({})
    texts = texts_of((4, SEQ), 97)
    wanted = model.embed(2, texts)
    weights = ["--weights", model.checkpoint]
    rows = ";".join(",".join(map(str, text)) for text in texts)
    printed = succeed(model.executable(2), *weights, "--tokens", rows).splitlines()
    assert [[np.float32(x) for x in line.split(",")] for line in printed] == wanted.tolist()
    requests = [
        rows,
        json.dumps({"id": "a", "tokens": texts}),
        json.dumps({"tokens": texts[1]}),
        json.dumps({"tokens": texts[1], "max_tokens": 3}),
        json.dumps({"tokens": [1] * (SEQ + 1)}),
        "3,97",
        json.dumps({"tokens": [texts[0]]}),
    ]
    answers = succeed(model.executable(2), *weights, "--serve", input="\n".join(requests))
    lines = answers.splitlines()
    assert lines[0] == ";".join(printed)
    first = json.loads(lines[1])
    assert first["id"] == "a"
    np.testing.assert_array_equal(np.array(first["embedding"], np.float32), wanted)
    assert np.float32(json.loads(lines[2])["embedding"]).tolist() == wanted[1].tolist()
    assert 'unknown member "max_tokens" (members: id, tokens)' in json.loads(lines[3])["error"]
    assert f"text of {SEQ + 1} tokens exceeds" in json.loads(lines[4])["error"]
    assert lines[5] == "error: token id 97 is out of range, the vocabulary has 97"
    assert np.shape(json.loads(lines[6])["embedding"]) == (1, 36)


def test_vectors_of_tokens_served(encoder):
    model = encoder(None)
    expected = reference.load(model.checkpoint)
    text = texts_of((4,), 97)[0]
    weights = ["--weights", model.checkpoint]
    request = json.dumps({"tokens": text}) + "\n1,2\n"
    lines = succeed(model.executable(1), *weights, "--serve", input=request).splitlines()
    np.testing.assert_allclose(
        json.loads(lines[0])["embedding"], reference.embedding(expected, text), rtol=0, atol=1e-4
    )
    assert lines[1] == "error: the program gives a vector of each token; ask in JSON"


def test_describe(encoder):
    described = json.loads(succeed(encoder({}).executable(1), "--describe"))
    assert described["embedding_model"] == {
        "batch": BATCH, "seq": SEQ, "vocab": 97, "width": 36, "pooled": True,
    }  # fmt: skip
    assert list(described["entries"]) == ["encode"]


@pytest.mark.parametrize(
    "arguments, message",
    [
        ([], "no text: give token ids with --tokens"),
        (["--tokens", "1;97"], "row 1: token id 97 is out of range, the vocabulary has 97"),
        (["--tokens", ",".join(["1"] * (SEQ + 1))], f"text of {SEQ + 1} tokens exceeds .* {SEQ}"),
        (
            ["--tokens", "1", "--generate", 3],
            "--generate, --score, --logits and options of sampling are for language models, this "
            "program makes embeddings",
        ),
        (["--tokens", "1", "--score"], "--score.* are for language models"),
        (["--tokens", "1", "--seed", 3], "options of sampling are for language models"),
        (["--tokens", "1", "--output", "x"], "--input and --output need --entry"),
        (["--tokens", "1", "--embedding", "/none/x.npy"], "/none/x.npy"),
        (["--serve", "--tokens", "1"], "--tokens,.* do not go with --serve"),
        (["--entry", "encode", "--embedding", "x.npy"], "do not go with --entry"),
    ],
)
def test_wrong_usage(encoder, arguments, message):
    model = encoder({})
    weights = ["--weights", model.checkpoint]
    rejected(run(model.executable(2), *weights, *arguments), message)


def test_vectors_of_tokens_need_a_file(encoder):
    model = encoder(None)
    result = run(model.executable(1), "--weights", model.checkpoint, "--tokens", "1")
    rejected(
        result,
        "the program gives a vector of each token: name a file for them with --embedding F.npy",
    )


# --- Import -----------------------------------------------------------------

UNSUPPORTED = [
    ({"hidden_act": "swish"}, "hidden_act: supported are .*relu, found 'swish'"),
    ({"position_embedding_type": "relative_key"}, 'position_embedding_type: only "absolute"'),
    ({"is_decoder": True}, "is_decoder: only false"),
    ({"num_attention_heads": 7}, r"hidden_size: must be a multiple of num_attention_heads \(7\)"),
    # Fields of other families.
    ({"rms_norm_eps": 1e-5}, "rms_norm_eps: has no meaning for model_type 'bert'"),
    ({"num_key_value_heads": 3}, "num_key_value_heads: has no meaning"),
    ({"n_embd": 3}, "n_embd: has no meaning"),
    ({"model_type": "roberta"}, "model_type: supported are bert, .*found 'roberta'"),
    ({"architectures": ["BertForMaskedLM"]}, "architectures: expected BertModel"),
]


@pytest.mark.parametrize("changes, message", UNSUPPORTED)
def test_unsupported(tmp_path, changes, message):
    need("tp-import")
    config = {**tiny.config_of("bert"), **changes}
    tiny.write_checkpoint(tmp_path / "hf", config, {"x": np.zeros(1, np.float32)})
    result = run("tp-import", tmp_path / "hf", "-o", tmp_path / "model.mlir")
    rejected(result, "config.json: " + message)
    assert not (tmp_path / "model.mlir").exists()


MODULES = "modules.json"
POOLING = "1_Pooling/config.json"
LENGTHS_FILE = "sentence_bert_config.json"


@pytest.mark.parametrize(
    "file, content, message",
    [
        (MODULES, "{}", r"modules.json: expected a JSON array, found \{\}"),
        (MODULES, "[3]", "modules.json: expected a module with type and path, found 3"),
        (
            MODULES,
            "[]",
            "modules.json: supported modules are Transformer, Pooling and then Normalize or nothing,"
            " found none",
        ),
        (MODULES, '[{"type": "a.Transformer", "path": ""}]', "supported modules are .*found Trans"),
        (
            MODULES,
            '[{"type": "a.Transformer", "path": ""}, {"type": "a.Pooling", "path": "1_Pooling"},'
            ' {"type": "a.Dense", "path": "2"}]',
            "supported modules are .*found Transformer, Pooling, Dense",
        ),
        (
            MODULES,
            '[{"type": "a.Transformer", "path": "0"}]',
            "modules.json: the Transformer must be in this directory, found path '0'",
        ),
        (POOLING, '{"pooling_mode_max_tokens": true}', "pooling_mode_max_tokens: only false"),
        (
            POOLING,
            "{}",
            "pooling_mode_mean_tokens: one of it and pooling_mode_cls_token must be true, found none",
        ),
        (
            POOLING,
            '{"pooling_mode_mean_tokens": true, "pooling_mode_cls_token": true}',
            "pooling_mode_mean_tokens: one of it and pooling_mode_cls_token must be true, found both",
        ),
        (
            POOLING,
            '{"word_embedding_dimension": 8}',
            "word_embedding_dimension: must be the hidden size of the model, 36, found 8",
        ),
        (POOLING, '{"pooling_mode_mean_tokens": true, "x": 1}', "x: is not known here"),
        (LENGTHS_FILE, '{"max_seq_length": 0}', "max_seq_length: expected a size"),
        (LENGTHS_FILE, '{"do_lower_case": "yes"}', "do_lower_case: expected true or false"),
        (LENGTHS_FILE, '{"mask_prompt": true}', "mask_prompt: only false is supported, found true"),
        (LENGTHS_FILE, '{"tokenizer_args": {"x": 1}}', "tokenizer_args: is not known here"),
    ],
)
def test_modules(tmp_path, file, content, message):
    need("tp-import")
    checkpoint = tiny.write_sentence_modules(tiny.make("bert", tmp_path / "hf"))
    (checkpoint / file).write_text(content)
    result = run("tp-import", checkpoint, "-o", tmp_path / "model.mlir")
    rejected(result, message)
    assert not (tmp_path / "model.mlir").exists()


def test_lengths_of_the_modules(tmp_path):
    """sentence_bert_config.json says how long a text is, and options say it better."""
    need("tp-import")
    checkpoint = tiny.write_sentence_modules(tiny.make("bert", tmp_path / "hf"), max_seq=9)
    program = succeed("tp-import", checkpoint, "-o", "-")
    assert "seq = 9" in program and "view = [64, 36]" in program
    assert "seq = 20" in succeed("tp-import", checkpoint, "-o", "-", "--max-seq", 20)


@pytest.mark.parametrize(
    "length, seq, options", [(64, 64, []), (65, 64, []), (65, 9, ["--max-seq", 9])]
)
def test_length_beyond_the_positions(tmp_path, length, seq, options):
    """The positions of the model count, and a remark says so where nobody asked for another length."""
    need("tp-import")
    checkpoint = tiny.write_sentence_modules(tiny.make("bert", tmp_path / "hf"), max_seq=length)
    result = run("tp-import", checkpoint, "-o", "-", *options)
    assert result.returncode == 0 and f"tensor<1x{seq}xi64>" in result.stdout
    if (length, seq) == (65, 64):
        assert result.stderr == (
            f"remark: {checkpoint}: max_seq_length of sentence_bert_config.json is 65, but the model "
            "has 64 positions (max_position_embeddings); the program takes texts of 64 tokens\n"
        )
    else:
        assert result.stderr == ""


@pytest.mark.parametrize("options", [["--chunk", 4], ["--all-logits"]])
def test_options_of_language_models(tmp_path, options):
    need("tp-import")
    checkpoint = tiny.make("bert", tmp_path / "hf")
    result = run("tp-import", checkpoint, "-o", tmp_path / "m.mlir", *options)
    rejected(result, f"{options[0]}: is for language models, 'bert' is an encoder")


# --- Texts ------------------------------------------------------------------


def write_tokenizer(directory, lowercase=True):
    """A tokenizer of words, with what BERT's puts around a text."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    words = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", "a", "red", "blue", "car", "sky"]
    tokenizer = Tokenizer(
        models.WordPiece({word: i for i, word in enumerate(words)}, unk_token="[UNK]")
    )
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=lowercase)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 2), ("[CLS]", 1))
    # As published ones have it; neither is wanted here.
    tokenizer.enable_padding(length=40)
    tokenizer.enable_truncation(3)
    tokenizer.save(str(directory / "tokenizer.json"))


def test_texts(encoder, tmp_path, capsys):
    model = encoder({}, initializer_range=0.5)  # a directory of its own
    write_tokenizer(model.checkpoint)
    executable, weights = str(model.executable(2)), ["--weights", str(model.checkpoint)]
    texts = ["A red car", "a blue sky", "green", "sky car"]
    ids = [[1, 4, 5, 7, 2], [1, 4, 6, 8, 2], [1, 3, 2], [1, 8, 7, 2]]
    wanted = model.embed(2, ids)
    assert embed.main([executable, *weights, "--text", *texts, "-o", f"{tmp_path}/e.npy"]) == 0
    assert capsys.readouterr().out == ""
    np.testing.assert_array_equal(np.load(tmp_path / "e.npy"), wanted)

    (tmp_path / "texts.txt").write_text("\n".join(texts))
    assert embed.main([executable, *weights, "--file", f"{tmp_path}/texts.txt"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [[np.float32(x) for x in line.split(",")] for line in lines] == wanted.tolist()
    assert embed.main([executable, *weights, "--text", *texts, "--similarity"]) == 0
    table = [[float(x) for x in line.split()] for line in capsys.readouterr().out.splitlines()]
    np.testing.assert_allclose(table, wanted @ wanted.T, rtol=0, atol=1e-4)

    long = " ".join(["sky"] * SEQ)
    assert embed.main([executable, *weights, "--text", long]) == 2
    assert f"text of {SEQ + 2} tokens exceeds the program's {SEQ}" in capsys.readouterr().err
    assert embed.main([executable, *weights, "--text", long, "--truncate"]) == 0
    cut = [np.float32(x) for x in capsys.readouterr().out.split(",")]
    assert cut == model.embed(2, [[1] + [8] * (SEQ - 2) + [2]])[0].tolist()


@pytest.mark.parametrize("lower", [True, False])
def test_lower_case(encoder, tmp_path, capsys, lower):
    """do_lower_case counts before the tokenizer, which here keeps the case of letters."""
    model = encoder({"max_seq": SEQ}, initializer_range=0.4 if lower else 0.3)
    write_tokenizer(model.checkpoint, lowercase=False)
    settings = json.dumps({"max_seq_length": SEQ, "do_lower_case": lower})
    (model.checkpoint / "sentence_bert_config.json").write_text(settings)
    succeed("tp-import", model.checkpoint, "-o", tmp_path / "model.mlir")
    wanted = model.embed(1, [[1, 4, 5, 7, 2] if lower else [1, 3, 5, 3, 2]])
    arguments = [str(model.executable(1)), "--weights", str(model.checkpoint)]
    assert embed.main([*arguments, "--text", " A red CAR\n", "-o", f"{tmp_path}/e.npy"]) == 0
    np.testing.assert_array_equal(np.load(tmp_path / "e.npy"), wanted)


@pytest.mark.parametrize(
    "content, lines",
    [
        ("a\u2028b\x0cc\x0bd\x85e\u2029f\x1cg\rh\n", ["a\u2028b\x0cc\x0bd\x85e\u2029f\x1cg\rh"]),
        ("a\r\nb\n\nc", ["a", "b", "", "c"]),
        ("\n", [""]),
        ("a\n\n", ["a", ""]),
    ],
)
def test_lines_of_a_file(tmp_path, content, lines):
    (tmp_path / "texts").write_bytes(content.encode())
    assert embed.read_texts(tmp_path / "texts") == lines


def test_output_is_whole_or_absent(encoder, tmp_path):
    """A full disk leaves what was there, and no scratch file."""
    model = encoder({}, initializer_range=0.5)
    write_tokenizer(model.checkpoint)
    texts = ["a red car"] * 20  # 20 x 36 numbers are more than the limit below
    arguments = [sys.executable, "-m", "tp.embed", model.executable(1)]
    arguments += ["--weights", model.checkpoint, "--text", *texts, "-o"]
    limit = ["sh", "-c", 'ulimit -f 2; exec "$@"', "sh"]  # 1 KiB
    folder = tmp_path / "out"
    folder.mkdir()

    def error(path, *prefix):
        command = [*map(str, [*prefix, *arguments, path])]
        environment = {**os.environ, "PYTHONPATH": str(models.ROOT / "python")}
        result = subprocess.run(command, capture_output=True, text=True, env=environment)
        assert result.returncode == 3 and result.stderr.count("\n") == 1, result.stderr
        return result.stderr

    for old in (None, b"old"):
        if old is not None:
            (folder / "e.npy").write_bytes(old)
        assert error(folder / "e.npy", *limit) == f"error: {folder}/e.npy: File too large\n"
        assert [path.read_bytes() for path in folder.iterdir()] == ([] if old is None else [old])
    assert error("/dev/full") == "error: /dev/full: No space left on device\n"
    assert not os.path.isfile("/dev/full")
    assert "/none/e.npy: No such file or directory" in error(tmp_path / "none/e.npy")
    # Through a link, into the file that it names.
    (folder / "link.npy").symlink_to("e.npy")
    assert embed.main([*map(str, [*arguments[3:], folder / "link.npy"])]) == 0
    assert np.load(folder / "e.npy").shape == (20, 36) and (folder / "link.npy").is_symlink()
    assert (folder / "e.npy").stat().st_mode & 0o777 == 0o666 & ~umask()


def umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


@pytest.mark.parametrize(
    "described, message",
    [
        ({"language_model": {}}, "makes no embeddings; compile an encoder (docs/Import.md)"),
        (
            {"embedding_model": {"pooled": False}},
            "gives a vector of each token: the directory it was imported from has no modules.json that"
            " says how they are pooled",
        ),
    ],
)
def test_embed_needs_embeddings_of_texts(fake_program, tmp_path, capsys, described, message):
    program = fake_program(f"print({json.dumps(json.dumps(described))})")
    assert embed.main([str(program), "--weights", str(tmp_path), "--text", "a"]) == 2
    error = capsys.readouterr().err
    assert error.count("error:") == 1 and message in error


@pytest.mark.parametrize(
    "content, message",
    [(None, "cannot be read"), (b"\xff", "is not text in UTF-8"), (b"", "has no line")],
)
def test_embed_reads_a_file(fake_program, tmp_path, capsys, content, message):
    if content is not None:
        (tmp_path / "texts").write_bytes(content)
    program = fake_program("")
    arguments = [str(program), "--weights", str(tmp_path), "--file", str(tmp_path / "texts")]
    assert embed.main(arguments) == 2
    assert message in capsys.readouterr().err


# --- A real model -----------------------------------------------------------

SENTENCES = [
    "A man is eating a piece of bread.",
    "Someone eats food.",
    "The new movie is awesome, and its music even more so!",
    "Tensor parallelism cuts each weight matrix among several processors.",
]


@pytest.mark.long
def test_minilm(tmp_path):
    """all-MiniLM-L6-v2: as the numpy forward, and close to what was written down."""
    need("tp-import", "tp-compile")
    golden = json.loads((models.ROOT / "test/Integration/minilm_golden.json").read_text())
    checkpoint = models.checkpoint("minilm")
    expected = reference.load(checkpoint)
    model = Encoder(checkpoint, tmp_path, "--batch", 2)
    ids = [text["ids"] for text in golden["texts"]]
    wanted = np.array([reference.embedding(expected, row) for row in ids])
    for row, text in zip(wanted, golden["texts"]):
        np.testing.assert_allclose(row[: len(text["first"])], text["first"], rtol=0, atol=1e-5)
    for tp in RANKS:
        np.testing.assert_allclose(model.embed(tp, ids), wanted, rtol=0, atol=1e-5)
    found = embed.embed(model.executable(2), checkpoint, [t["text"] for t in golden["texts"]])
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-5)
    np.testing.assert_allclose(embed.similarities(found), golden["similarities"], atol=1e-5)
