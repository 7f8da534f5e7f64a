"""How fast a model runs on the device, beside what the device can do. Standard library only.

A program answers requests (--serve), so that weights are made once and the first request
warms up; what is measured is the median of requests after it.
"""

import json
import statistics
from arrays import Failed
from dataclasses import dataclass, replace
from rates import is_attention
from steps import Server, Skipped, run

COLLECTIVES = ("all_reduce", "all_gather", "reduce_scatter", "all_to_all", "permute")
LOAD_S = 120  # longest start of a program: weights are made and uploaded
ANSWER_S = 60


@dataclass
class Speeds:
    """Medians, in seconds."""

    prefill: float  # of the whole prompt
    step: float  # of a token
    load: float  # of making and uploading the weights


def measure(command, bench, clock, log):
    """Runs the program of a benchmark as a server."""

    def request(count):
        return json.dumps({"tokens": bench["tokens"], "max_tokens": count})

    count = bench["generate"]
    metrics = log.with_name("metrics.json")
    with Server([*command, "--serve", "--metrics", metrics], log) as server:
        server.ask(request(2), clock.limit(LOAD_S))
        prefills, steps = [], []
        for _ in range(bench["runs"]):
            seconds = []
            for tokens in (1, 1 + count):
                answer, taken = server.ask(request(tokens), clock.limit(ANSWER_S))
                answer = json.loads(answer)
                if len(answer.get("tokens", ())) != tokens:
                    raise Failed(f"asked for {tokens} tokens, answered {str(answer)[:200]}")
                seconds.append(taken)
            prefills.append(seconds[0])
            steps.append((seconds[1] - seconds[0]) / count)
        server.finish(clock.limit(ANSWER_S))
    load = json.loads(metrics.read_text())["load_s"]
    return Speeds(statistics.median(prefills), max(statistics.median(steps), 1e-9), load)


@dataclass
class Span:
    name: str
    kind: str  # gemm, kernel, copy, or a collective
    kernel: str
    seconds: float
    flops: float | None
    bytes: float | None  # of memory, or sent by a collective


def spans_of(path, entry):
    """What the first rank did in each call of an entry, by a file of --trace."""
    with open(path) as file:
        events = [e for e in json.load(file)["traceEvents"] if e["ph"] == "X" and e["tid"] == 0]
    begins = sorted((e["ts"], e["name"]) for e in events if e["cat"] == "entry")
    calls = []
    for (begin, name), (until, _) in zip(begins, [*begins[1:], (float("inf"), "")]):
        if name != entry:
            continue
        calls.append([])
        for e in events:
            if e["cat"] in ("compute", "collective") and begin <= e["ts"] + e["dur"] / 2 < until:
                args = e.get("args", {})
                name, _, kind = e["name"].rpartition(".")
                calls[-1].append(
                    Span(name, kind, args.get("reason", ""), e["dur"] / 1e6, args.get("flops"),
                         args.get("bytes"))
                )  # fmt: skip
    if not calls or not calls[-1]:
        raise Failed(f"{path} has no spans in calls of '{entry}'")
    return calls


def trace(command, bench, clock, folder):
    """The spans of the last prefill, all its chunks, and of the last step."""
    path = folder / f"{bench['name']}.trace.json"
    request = json.dumps({"tokens": bench["tokens"], "max_tokens": 3})
    with Server([*command, "--serve", "--trace", path], folder / "trace.log") as server:
        server.ask(request, clock.limit(LOAD_S))
        server.ask(request, clock.limit(ANSWER_S))
        server.finish(clock.limit(ANSWER_S))
    prompt, chunk, capacity = len(bench["tokens"]), bench["chunk"], bench["capacity"]
    calls = spans_of(path, "prefill")[-(-(-prompt // chunk)) :]
    prefill = []
    for number, call in enumerate(calls):
        prefill += of_seen(call, (number + 0.5) * chunk / capacity)
    step = of_seen(spans_of(path, "decode")[-1], (prompt + 2) / capacity)
    path.unlink()
    return prefill, step


def of_seen(spans, part):
    """The spans with the work of attention over `part` of the cache, what it sees on average."""
    scaled = []
    for span in spans:
        if is_attention(span.kernel) and span.flops is not None:
            span = replace(span, flops=span.flops * part, bytes=span.bytes * part)
        scaled.append(span)
    return scaled


def trace_ranks(command, clock, path):
    """The spans of the first of several ranks in its last prefill and its last step."""
    run([*command, "--trace", path], clock.limit(ANSWER_S))
    spans = {entry: spans_of(path, entry)[-1] for entry in ("prefill", "decode")}
    path.unlink()
    return spans


def kernels_table(spans, predict, most=12):
    """Kernels by the time that they take together, with the time that their work predicts.

    The `most` largest, and all collectives. `predict` gives the seconds of a span, or None.
    """
    rows = {}
    for span in spans:
        place = ".".join(part for part in span.name.split(".") if not part.isdigit())
        what = span.kernel if span.kind == "kernel" else span.kind
        row = rows.setdefault(
            (place, what),
            {"place": place, "what": what, "count": 0, "seconds": 0.0, "predicted": 0.0,
             "flops": 0, "bytes": 0},
        )  # fmt: skip
        row["count"] += 1
        row["seconds"] += span.seconds
        for key, value in (
            ("predicted", predict(span)),
            ("flops", span.flops),
            ("bytes", span.bytes),
        ):
            row[key] = row[key] + value if None not in (value, row[key]) else None
    table = sorted(rows.values(), key=lambda row: -row["seconds"])
    return [row for number, row in enumerate(table) if number < most or row["what"] in COLLECTIVES]


def products_alone(command, bench, clock, folder):
    """Seconds of the products of a layer, each alone: medians by the name of the weight."""
    path = folder / f"{bench['name']}.products.json"
    entry = bench["products"]["entry"]
    run([*command, "--entry", entry, "--trace", path], clock.limit(LOAD_S))
    found = {}
    for call in spans_of(path, entry):
        for span in call:
            if span.kind == "gemm":
                found.setdefault(span.name.split(".")[-1], []).append(span.seconds)
    path.unlink()
    # The first of each shape chooses an algorithm.
    return {name: statistics.median(seconds[1:] or seconds) for name, seconds in found.items()}


def products_share(prefill, alone):
    """The time of products alone as a part of the time that they take in the model."""
    pairs = [(alone.get(s.name.split(".")[-1]), s.seconds) for s in prefill if s.kind == "gemm"]
    pairs = [pair for pair in pairs if pair[0] is not None]
    if not pairs:
        raise Skipped("the model has no product that was measured alone")
    return sum(one for one, _ in pairs) / sum(other for _, other in pairs)
