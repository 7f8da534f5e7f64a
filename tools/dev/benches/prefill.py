"""Tokens/s of reading a prompt, beside the peak of the machine and llama.cpp."""

import statistics

import model
from console import say

from . import ours
from .judge import judge
from .llama_cpp import LlamaCpp, full_gguf

PEAK_SHARE = {"f32": 0.75, "bf16": 0.6}
LLAMA_CPP_RATIO = 1.0
PROMPT_TOKENS, NEW_TOKENS = 256, 8


def run(options):
    model.build("tp-import", "tp-compile", "tp-bench-kernels")
    directory, executable = ours.published(options.dtype, options.tp)
    prompt = ours.ordinary_prompt(PROMPT_TOKENS)
    threads = options.tp * options.threads
    other = LlamaCpp(full_gguf(options.dtype), threads, PROMPT_TOKENS, NEW_TOKENS)
    other.measure(prompt)
    mine, theirs, peak = [], [], []
    for _ in range(options.runs):
        metrics = ours.measure(executable, directory, prompt, NEW_TOKENS, options.threads)
        mine.append(metrics["prefill_tokens_per_s"])
        theirs.append(other.measure(prompt)[0])
        # Two operations per weight and token; the embedding is looked up, and the head
        # computed for one position, so both count as nothing.
        weights = sum(tensor_sizes(directory))
        (row,) = ours.lines_of("tp-bench-kernels", "peak", threads)
        peak.append(1e9 * row[f"{options.dtype}_gflops"] / (2 * weights))
        say(f"  ours {mine[-1]:8.1f}   llama.cpp {theirs[-1]:8.1f}   peak {peak[-1]:8.1f} tokens/s")
    ours_median, theirs_median, peak_median = map(statistics.median, (mine, theirs, peak))
    print(
        f"prefill of {PROMPT_TOKENS}, {options.dtype}, tp={options.tp}, {options.threads} threads"
        f" per rank, medians of {options.runs}"
    )
    print(f"  ours       {ours_median:8.1f} tokens/s")
    print(f"  llama.cpp  {theirs_median:8.1f} tokens/s on {threads} threads")
    print(f"  peak       {peak_median:8.1f} tokens/s, of the matrices alone")
    good = judge("share of peak", ours_median / peak_median, PEAK_SHARE[options.dtype], at_most=False)
    return judge("ratio to llama.cpp", ours_median / theirs_median, LLAMA_CPP_RATIO, at_most=False) and good


def tensor_sizes(directory):
    """Elements of each matrix of the layers."""
    import numpy as np
    from safetensors import safe_open

    for path in sorted(directory.glob("*.safetensors")):
        with safe_open(path, "np") as file:
            for name in file.keys():
                shape = file.get_slice(name).get_shape()
                if "layers." in name and len(shape) == 2:
                    yield int(np.prod(shape))
