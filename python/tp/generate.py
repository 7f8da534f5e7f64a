"""Text in, text out with a compiled model.

    python -m tp.generate MODEL --weights DIR (--prompt TEXT | --chat TEXT) [--tokens N]
                          [--temperature T] [--top-k K] [--top-p P] [--seed S] [-- OPTION...]

MODEL is an executable made by tp-compile, DIR the Hugging Face directory it
was compiled from. --prompt continues a text as it is, --chat asks through the
model's chat template. Options of sampling are those of MODEL, which takes the
most likely token without them. What stands behind `--` goes to MODEL as it is.
"""

import sys
from pathlib import Path

from .errors import report
from .executable import ModelFailed, argument_parser, command_line, split_options, stream_ids
from .text import Text


def print_stream(text, ids, out=None):
    """Prints the text of `ids` as they arrive; returns the list of ids."""
    out = out or sys.stdout
    stream = text.stream()
    seen = []
    try:
        for token in ids:
            seen.append(token)
            out.write(stream.step(token))
            out.flush()
    finally:
        if seen:
            out.write(stream.rest() + "\n")
            out.flush()
    return seen


def main(arguments=None):
    arguments, extra = split_options(sys.argv[1:] if arguments is None else list(arguments))
    parser = argument_parser("tp.generate", "text in, text out with a compiled model")
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--prompt", help="text to continue, as it is")
    which.add_argument("--chat", help="question, asked through the chat template")
    parser.add_argument(
        "--tokens", type=int, default=64, help="how many tokens to generate (default 64)"
    )
    sampling = {
        "--temperature": ("T", "divide the logits by T and choose at random"),
        "--top-k": ("K", "choose among the K most likely tokens"),
        "--top-p": ("P", "choose among the fewest tokens that have probability P together"),
        "--seed": ("S", "start of the random numbers"),
    }
    for name, (metavar, description) in sampling.items():
        parser.add_argument(name, metavar=metavar, help=description)
    options = parser.parse_args(arguments)
    for name in sampling:
        value = getattr(options, name.strip("-").replace("-", "_"))
        if value is not None:
            extra = [f"{name}={value}", *extra]  # MODEL checks it
    if options.tokens < 1:
        parser.error(f"--tokens: expected a positive number, got {options.tokens}")

    def run():
        text = Text(options.weights)
        prompt = options.prompt if options.chat is None else text.render_chat(options.chat)
        model = options.model if options.model.is_absolute() else Path.cwd() / options.model
        command = command_line(model, options.weights, text.encode(prompt), options.tokens, extra)
        try:
            print_stream(text, stream_ids(command))
        except ModelFailed as failure:
            return failure.status
        return 0

    return report(run)


if __name__ == "__main__":
    sys.exit(main())
