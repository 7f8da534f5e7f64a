"""Perplexity of a text under a compiled model.

    python -m tp.perplexity MODEL --weights DIR --text FILE [--window N] [--stride S] [-- OPTION...]

MODEL is an executable made by tp-compile from a program of `tp-import
--all-logits`, DIR the Hugging Face directory it was made from. The perplexity
is exp of the mean negative log-likelihood of the tokens. A text longer than
a window is seen through windows that begin S tokens apart; each token but the
first of the text counts once, in the first window that holds it, with the
tokens of that window before it as context (the strided evaluation of the Hugging
Face guide "Perplexity of fixed-length models"). A smaller stride gives more
context and takes more windows. What stands behind `--` goes to MODEL as it is.
"""

import math
import sys
from functools import partial
from pathlib import Path

from .errors import UserError, report
from .executable import ModelFailed, Serving, argument_parser, describe, split_options
from .text import Text, read_text


def windows(count, window, stride):
    """[begin, end) and the first token that counts, for `count` tokens.

    Every token but token 0 counts in exactly one window, never as its first.
    """
    result = []
    counted = 1
    for begin in range(0, count, stride):
        end = min(begin + window, count)
        if end > counted:
            result.append((begin, end, counted))
            counted = end
        if end == count:
            break
    return result


def logprobs(serving, rows):
    """Per row, the log-probability of each token after the first."""
    return serving.ask({"tokens": rows, "score": True}, "logprobs")


def negative_log_likelihood(ids, window, stride, batch, logprobs):
    """Sum over all tokens but the first; `logprobs` scores up to `batch` rows."""
    places = windows(len(ids), window, stride)
    parts = []
    for first in range(0, len(places), batch):
        group = places[first : first + batch]
        scores = logprobs([ids[begin:end] for begin, end, _ in group])
        for (begin, _, counted), row in zip(group, scores, strict=True):
            # row[i] is about token begin + i + 1.
            parts.extend(row[counted - begin - 1 :])
    assert len(parts) == len(ids) - 1
    return -math.fsum(parts)


def perplexity(model, weights, text, window=None, stride=None, extra=()):
    """(perplexity, tokens that count, window, stride) of a text."""
    facts = describe(model).get("language_model")
    if not facts or not facts.get("score"):
        raise UserError(
            f"'{model}' gives no logits of all positions; import the model with tp-import --all-logits"
        )
    ids = Text(weights).encode(text)
    if len(ids) < 2:
        raise UserError(f"a text of at least two tokens is needed, found {len(ids)}")
    longest = facts["max_seq"]
    window = longest if window is None else window
    if not 2 <= window <= longest:
        raise UserError(f"--window: expected a number from 2 to {longest}, got {window}")
    stride = max(window // 2, 1) if stride is None else stride
    if not 1 <= stride < window:
        raise UserError(f"--stride: expected a number from 1 to {window - 1}, got {stride}")
    with Serving(model, weights, extra) as serving:
        score = partial(logprobs, serving)
        total = negative_log_likelihood(ids, window, stride, facts["batch"], score)
    try:
        value = math.exp(total / (len(ids) - 1))
    except OverflowError:
        value = math.inf
    return value, len(ids) - 1, window, stride


def main(arguments=None):
    arguments, extra = split_options(sys.argv[1:] if arguments is None else list(arguments))
    parser = argument_parser("tp.perplexity", "perplexity of a text under a compiled model")
    parser.add_argument("--text", type=Path, required=True, help="file with the text, UTF-8")
    parser.add_argument(
        "--window", type=int, help="tokens seen at once (default: all that the program allows)"
    )
    parser.add_argument(
        "--stride", type=int, help="tokens from window to window (default: half a window)"
    )
    options = parser.parse_args(arguments)

    def run():
        model = options.model if options.model.is_absolute() else Path.cwd() / options.model
        text = read_text(options.text)
        try:
            value, tokens, window, stride = perplexity(
                model, options.weights, text, options.window, options.stride, extra
            )
        except ModelFailed as failure:
            return failure.status
        print(f"perplexity {value:.6g}  tokens {tokens}  window {window}  stride {stride}")
        return 0

    return report(run)


if __name__ == "__main__":
    sys.exit(main())
