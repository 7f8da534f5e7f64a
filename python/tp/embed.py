"""Embeddings of texts with a compiled model.

    python -m tp.embed MODEL --weights DIR (--text TEXT... | --file FILE) [-o F.npy]
                       [--similarity] [--truncate] [-- OPTION...]

MODEL is an executable that tp-compile made of an encoder (docs/Import.md), DIR the
directory it was compiled from. Prints one line of numbers per text, or writes all of
them as [texts, width]. --similarity prints, instead, the cosines between all texts. What
stands behind `--` goes to MODEL as it is.
"""

import io
import sys
from pathlib import Path

import numpy as np

from .checkpoint import new_file
from .errors import UserError, report
from .executable import ModelFailed, Serving, argument_parser, describe, split_options
from .text import Text, read_text


def embed(model, weights, texts, truncate=False, extra=()):
    """[texts, width] of f32."""
    facts = describe(model).get("embedding_model")
    if not facts:
        raise UserError(f"'{model}' makes no embeddings; compile an encoder (docs/Import.md)")
    if not facts["pooled"]:
        raise UserError(
            f"'{model}' gives a vector of each token: the directory it was imported from "
            "has no modules.json that says how they are pooled"
        )
    tokenizer = Text(weights)
    rows = [tokenizer.encode_for_embedding(text, facts["seq"], truncate) for text in texts]
    vectors = []
    with Serving(model, weights, extra) as serving:
        for first in range(0, len(rows), facts["batch"]):
            group = rows[first : first + facts["batch"]]
            vectors.extend(serving.ask({"tokens": group}, "embedding"))
    return np.array(vectors, dtype=np.float32)


def similarities(embeddings):
    """Cosines of the angles between all pairs of rows; 0 with a row of zeros."""
    length = np.linalg.norm(embeddings, axis=1, keepdims=True)
    unit = embeddings / np.maximum(length, np.finfo(np.float32).tiny)
    return unit @ unit.T


def read_texts(path):
    """The lines of a file, each ended by "\\n" or "\\r\\n"; other characters that Unicode
    calls ends of lines are characters of a text."""
    lines = read_text(path).split("\n")
    if not lines[-1]:
        lines.pop()  # behind the last line's end
    if not lines:
        raise UserError(f"'{path}' has no line")
    return [line.removesuffix("\r") for line in lines]


def main(arguments=None):
    arguments, extra = split_options(sys.argv[1:] if arguments is None else list(arguments))
    parser = argument_parser("tp.embed", "embeddings of texts with a compiled model")
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--text", nargs="+", help="the texts")
    which.add_argument("--file", type=Path, help="file with a text per line, UTF-8")
    parser.add_argument("-o", dest="output", type=Path, help=".npy file for the embeddings")
    parser.add_argument(
        "--similarity", action="store_true", help="print the cosines between all texts"
    )
    parser.add_argument(
        "--truncate", action="store_true", help="cut texts that are too long for the program"
    )
    options = parser.parse_args(arguments)

    def run():
        texts = options.text if options.text is not None else read_texts(options.file)
        model = options.model if options.model.is_absolute() else Path.cwd() / options.model
        try:
            embeddings = embed(model, options.weights, texts, options.truncate, extra)
        except ModelFailed as failure:
            return failure.status
        if options.output:
            data = io.BytesIO()  # np.save into a file does not say why it fails
            np.save(data, embeddings)
            with new_file(options.output) as file:
                file.write(data.getbuffer())
        if options.similarity:
            for row in similarities(embeddings):
                print("  ".join(f"{value:7.4f}" for value in row))
        elif not options.output:
            for row in embeddings:
                print(",".join(f"{value:.9g}" for value in row))
        return 0

    return report(run)


if __name__ == "__main__":
    sys.exit(main())
