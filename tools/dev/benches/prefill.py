"""Tokens/s of reading a prompt, beside the peak of the machine and llama.cpp."""

from . import ours
from .contest import Contest
from .judge import judge

PEAK_SHARE = {"f32": 0.75, "bf16": 0.6}
PROMPT_TOKENS, NEW_TOKENS = 256, 8


def run(options):
    contest = Contest(options, PROMPT_TOKENS, NEW_TOKENS)
    # Two operations per weight and token; the embedding is looked up, and the head
    # computed for one position, so both count as nothing.
    operations = 2 * sum(layer_matrices(contest.directory))

    def limits(_):
        (row,) = ours.lines_of("tp-bench-kernels", "peak", contest.threads)
        return {"peak": 1e9 * row[f"{options.dtype}_gflops"] / operations}

    medians = contest.run("prefill_tokens_per_s", 0, limits)
    share = medians["ours"] / medians["peak"]
    good = judge("share of peak", share, PEAK_SHARE[options.dtype], at_most=False)
    return contest.judge(medians) and good


def layer_matrices(directory):
    """Elements of each matrix of the layers."""
    import numpy as np
    from safetensors import safe_open

    for path in sorted(directory.glob("*.safetensors")):
        with safe_open(path, "np") as file:
            for name in file.keys():
                shape = file.get_slice(name).get_shape()
                if "layers." in name and len(shape) == 2:
                    yield int(np.prod(shape))
