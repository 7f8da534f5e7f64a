"""Tokens/s of generating, beside the speed of memory and llama.cpp on the same weights."""

import statistics

import model
from console import say

from . import ours
from .judge import judge
from .llama_cpp import LlamaCpp, full_gguf

KERNEL_SHARE = 0.85  # of what the product of one row alone reaches over the same bytes
LLAMA_CPP_RATIO = 1.0
PROMPT_TOKENS, NEW_TOKENS = 32, 64


def run(options):
    model.build("tp-import", "tp-compile", "tp-bench-kernels")
    directory, executable = ours.published(options.dtype, options.tp)
    prompt = ours.ordinary_prompt(PROMPT_TOKENS)
    threads = options.tp * options.threads
    other = LlamaCpp(full_gguf(options.dtype), threads, PROMPT_TOKENS, NEW_TOKENS)
    other.measure(prompt)  # warm-up: pages of the weights, threads
    mine, theirs, kernel, reading = [], [], [], []
    for _ in range(options.runs):
        metrics = ours.measure(executable, directory, prompt, NEW_TOKENS, options.threads)
        mine.append(metrics["decode_tokens_per_s"])
        theirs.append(other.measure(prompt)[1])
        product, read = ours.streams(threads)[options.dtype]
        # Every weight of every rank is read once for a token.
        gigabytes = 1e-9 * options.tp * metrics["weight_bytes_per_rank"]
        kernel.append(product / gigabytes)
        reading.append(read / gigabytes)
        say(
            f"  ours {mine[-1]:7.1f}   llama.cpp {theirs[-1]:7.1f}   kernel alone"
            f" {kernel[-1]:7.1f}   plain reading {reading[-1]:7.1f} tokens/s"
        )
    ours_median, theirs_median, kernel_median, reading_median = map(
        statistics.median, (mine, theirs, kernel, reading)
    )
    print(
        f"decode, {options.dtype}, tp={options.tp}, {options.threads} threads per rank,"
        f" medians of {options.runs}"
    )
    print(f"  ours           {ours_median:8.1f} tokens/s")
    print(f"  llama.cpp      {theirs_median:8.1f} tokens/s on {threads} threads")
    print(f"  kernel alone   {kernel_median:8.1f} tokens/s")
    print(f"  plain reading  {reading_median:8.1f} tokens/s, {ours_median / reading_median:.0%} used")
    good = judge("share of the kernel alone", ours_median / kernel_median, KERNEL_SHARE, at_most=False)
    return judge("ratio to llama.cpp", ours_median / theirs_median, LLAMA_CPP_RATIO, at_most=False) and good
