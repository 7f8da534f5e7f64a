"""Tokens/s of reading a prompt, beside the peak of the machine and llama.cpp."""

import model

from . import ours
from .contest import Contest
from .judge import judge

PEAK_SHARE = {"f32": 0.75, "bf16": 0.6}
ONEDNN_SHARE = 0.95  # of a product to oneDNN alone
PROMPT_TOKENS, NEW_TOKENS, CHUNK = 256, 8, 128
LARGEST_ITEMS = 8


def run(options):
    contest = Contest(options, PROMPT_TOKENS, NEW_TOKENS)
    # Two operations per weight and token; the embedding is looked up, and the head
    # computed for one position, so both count as nothing.
    matrices = list(layer_matrices(contest.directory))
    operations = 2 * sum(n * k for n, k in matrices)

    def limits(_):
        (row,) = ours.lines_of("tp-bench-kernels", "peak", contest.threads)
        return {"peak": 1e9 * row[f"{options.dtype}_gflops"] / operations}

    medians = contest.run("prefill_tokens_per_s", 0, limits)
    share = medians["ours"] / medians["peak"]
    good = judge("share of peak", share, PEAK_SHARE[options.dtype], at_most=False)
    good &= contest.judge(medians)
    items = contest.spans()
    total = sum(items.values())
    print(f"one run, rank 0: {total:.0f} ms")
    for name, milliseconds in items.most_common(LARGEST_ITEMS):
        print(f"  {name:28} {milliseconds:7.1f} ms {milliseconds / total:6.1%}")
    if options.dtype != "f32":
        return good
    model.build("tp-bench-gemm")
    sizes = [size for shape in sorted(set(matrices)) for size in shape]
    for row in ours.lines_of("tp-bench-gemm", CHUNK, *sizes):
        what = (
            f"product {row['m']}x{row['n']}x{row['k']}, {row['ours_gflops']} GF/s, to oneDNN alone"
        )
        ratio = row["ours_gflops"] / row["onednn_gflops"]
        good &= judge(what, ratio, ONEDNN_SHARE, at_most=False)
    return good


def layer_matrices(directory):
    """Shape of each matrix of the layers."""
    from safetensors import safe_open

    for path in sorted(directory.glob("*.safetensors")):
        with safe_open(path, "np") as file:
            for name in file.keys():
                shape = file.get_slice(name).get_shape()
                if "layers." in name and len(shape) == 2:
                    yield tuple(shape)
