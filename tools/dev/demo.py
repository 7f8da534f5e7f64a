"""Runs a published language model on several numbers of ranks; see tools/demo.

Fetches and converts the model once, compiles it for each number of ranks,
runs each and streams the text. Ends with a table and, as the last line on
stdout, the path of a JSON file with the same figures.
"""

import argparse
import json
import re
import sys

import model
from console import Progress, say

from tp.errors import report

DEFAULT_CHAT = "What is the capital of France?"
# model: (prompt, question)
DEFAULTS = {"smollm2": (None, DEFAULT_CHAT), "gemma3-270m": ("The capital of France is", None)}
REPORT = model.WORK / "demo.json"
LEGEND = """
weights, peak: of the rank that has most, as the runtime counts them; RSS: the process, all ranks together.
prefill: tokens of the prompt per second; a call reads a whole chunk, so a short prompt costs as much as a long one.
compile: when the executable was made; it is reused while nothing that it depends on changes."""


def collectives_per_layer(explanation, layers):
    """{kind: count} per decoder layer of one decode step.

    A collective belongs to the layer that its location names. Layers should
    be equal; where they are not, the largest count is given.
    """
    counts = {}
    for row in explanation["entries"]["decode"]["collectives"]:
        found = re.search(r"\blayers\.(\d+)\.", row["loc"])
        if found:
            of_kind = counts.setdefault(row["kind"], [0] * layers)
            of_kind[int(found[1])] += row["count"]
    return {kind: max(of_layer) for kind, of_layer in sorted(counts.items())}


def bytes_per_token(explanation):
    """Bytes that one rank sends in one decode step."""
    return explanation["entries"]["decode"]["totals"]["bytes_per_rank"]


def first_then_all(ids, title):
    """`ids`, with progress shown until the first one is there."""
    with Progress(title, quiet=True):
        first = next(ids, None)
    if first is not None:
        yield first
        yield from ids


def run(compiled, tp, directory, text, prompt, ids, count):
    """Runs one executable; returns its row of the report."""
    from tp.executable import command_line, stream_ids
    from tp.generate import print_stream

    metrics_path = compiled.executable.with_name(compiled.executable.name + ".metrics.json")
    command = command_line(
        compiled.executable, directory, ids, count, ["--metrics", str(metrics_path)]
    )
    print(f"\n--- tp={tp}", flush=True)
    tokens = print_stream(text, first_then_all(stream_ids(command), f"starting tp={tp}"))
    metrics = model.read_metrics(metrics_path)
    explanation = json.loads(compiled.explain.read_text())
    layers = json.loads((directory / "config.json").read_text())["num_hidden_layers"]
    return {
        "tp": tp,
        "dtype": "f32",
        "prompt": prompt,
        "prompt_ids": ids,
        "token_ids": tokens,
        "text": text.decode(tokens),
        "collectives_per_layer": collectives_per_layer(explanation, layers),
        "bytes_per_rank_per_token": bytes_per_token(explanation),
        "weight_bytes_per_rank": metrics["weight_bytes_per_rank"],
        "peak_bytes_per_rank": metrics["peak_bytes_per_rank"],
        "process_peak_rss_bytes": metrics["process_peak_rss_bytes"],
        "compile_s": round(compiled.seconds, 2),
        "prefill_tokens_per_s": metrics["prefill_tokens_per_s"],
        "decode_tokens_per_s": metrics["decode_tokens_per_s"],
    }


def identical(runs):
    """Whether all runs of one dtype gave the same ids."""
    by_dtype = {}
    for row in runs:
        by_dtype.setdefault(row["dtype"], set()).add(tuple(row["token_ids"]))
    return all(len(ids) == 1 for ids in by_dtype.values())


def mib(count):
    return f"{count / 2**20:.1f} MiB"


def table(runs):
    """The figures as aligned text, one line per run."""
    header = [
        "tp", "tokens", "collectives/layer", "bytes/rank/token", "weights/rank", "peak/rank",
        "process RSS", "compile", "prefill", "decode",
    ]  # fmt: skip
    lines = [header]
    for row in runs:
        same = row["token_ids"] == runs[0]["token_ids"]
        kinds = ", ".join(f"{count} {kind}" for kind, count in row["collectives_per_layer"].items())
        lines.append(
            [
                str(row["tp"]),
                f"{len(row['token_ids'])} {'identical' if same else 'DIFFERENT'}",
                kinds or "none",
                str(row["bytes_per_rank_per_token"]),
                mib(row["weight_bytes_per_rank"]),
                mib(row["peak_bytes_per_rank"]),
                mib(row["process_peak_rss_bytes"]),
                f"{row['compile_s']:.1f} s",
                f"{row['prefill_tokens_per_s']:.1f} tok/s",
                f"{row['decode_tokens_per_s']:.1f} tok/s",
            ]
        )
    widths = [max(len(line[i]) for line in lines) for i in range(len(header))]
    return "\n".join(
        "  ".join(cell.rjust(width) for cell, width in zip(line, widths)) for line in lines
    )


def parse(arguments=None):
    parser = argparse.ArgumentParser(
        prog="tools/demo",
        description="Compiles a published model for several numbers of ranks and runs each.",
    )
    parser.add_argument(
        "--model",
        choices=("smollm2", "gemma3-270m"),
        default="smollm2",
        help="SmolLM2-135M-Instruct (the default) or Gemma 3 270M, which has no chat template",
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--prompt", help="text to continue, taken as it is")
    which.add_argument(
        "--chat",
        help=f"question, asked through the chat template (default: {DEFAULT_CHAT})",
    )
    parser.add_argument("--tp", default="1,2,3", help="numbers of ranks (default: 1,2,3)")
    parser.add_argument("--tokens", type=int, default=24, help="tokens to generate (default: 24)")
    options = parser.parse_args(arguments)
    if not re.fullmatch(r"[1-9]\d*(,[1-9]\d*)*", options.tp):
        parser.error(f"--tp: expected positive numbers with commas between, got '{options.tp}'")
    options.tp = [int(n) for n in options.tp.split(",")]
    if options.tokens < 1:
        parser.error(f"--tokens: expected a positive number, got {options.tokens}")
    if options.prompt is None and options.chat is None:
        options.prompt, options.chat = DEFAULTS[options.model]
    return options


def demo(options):
    from tp.executable import ModelFailed
    from tp.text import Text

    model.build("tp-tools")
    directory = model.checkpoint(options.model)
    ir = model.imported(directory, options.model)
    text = Text(directory)
    prompt = options.prompt if options.prompt is not None else text.render_chat(options.chat)
    ids = text.encode(prompt)
    programs = [(tp, model.compiled(ir, tp, options.model)) for tp in options.tp]
    reused = [f"tp={tp}" for tp, program in programs if program.reused]
    if reused:
        say(f"reusing the executables of {', '.join(reused)}")
    print(f"prompt: {prompt}", flush=True)
    runs = []
    for tp, program in programs:
        try:
            runs.append(run(program, tp, directory, text, prompt, ids, options.tokens))
        except ModelFailed as failure:
            say(f"note: the run with tp={tp} exited with status {failure.status}")
            return failure.status
    result = {"identical": identical(runs), "runs": runs}
    REPORT.write_text(json.dumps(result, indent=2) + "\n")
    print(f"\n{table(runs)}\n{LEGEND}\n", flush=True)
    if any(len(row["token_ids"]) < options.tokens for row in runs):
        print("The model ended its answer before the number of tokens that was asked for.\n")
    if not result["identical"]:
        say("error: the runs generated different tokens")
    print(REPORT)
    return 0 if result["identical"] else 1


def main():
    options = parse()
    return report(lambda: demo(options))


if __name__ == "__main__":
    sys.exit(main())
