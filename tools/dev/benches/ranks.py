"""Decoding on several ranks of one machine: ranks against threads, more ranks than cores,
and beside a busy process. The model has random weights: width 768, 12 heads, 12 layers."""

import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import model
from console import BIN, say

from . import ours
from .judge import judge

RANKS_RATIO = 1.0  # tp=2 to tp=1 on two threads
MORE_RANKS = 1.35  # time of tp=3 on two cores, to that of tp=2
BUSY_SHARE = 0.8  # of the two thirds that a third busy process leaves of two cores
PROMPT_TOKENS, NEW_TOKENS = 8, 48
SHAPE = {
    "hidden_size": 768,
    "num_attention_heads": 12,
    "num_key_value_heads": 12,
    "head_dim": 64,
    "intermediate_size": 3072,
    "num_hidden_layers": 12,
    "vocab_size": 3072,
    "max_position_embeddings": 256,
    "eos_token_id": None,
}


def run(options):
    from tp import tiny

    model.build("tp-import", "tp-compile")
    with tempfile.TemporaryDirectory() as folder:
        weights = tiny.make("even", Path(folder) / "hf", **SHAPE)
        ir = Path(folder) / "model.mlir"
        model.run_tool("importing", [BIN / "tp-import", weights, "--chunk", 8, "-o", ir])
        executables = {}
        for tp in (1, 2, 3):
            executables[tp] = Path(folder) / f"tp{tp}"
            command = [BIN / "tp-compile", ir, "--plan", "megatron", "--mesh", f"tp={tp}"]
            model.run_tool(f"compiling for tp={tp}", [*command, "-o", executables[tp]])

        def speed(tp, threads):
            prompt = list(range(3, 3 + PROMPT_TOKENS))
            metrics = ours.measure(executables[tp], weights, prompt, NEW_TOKENS, threads)
            return metrics["decode_tokens_per_s"]

        names = ("tp=1, 2 threads", "tp=2", "tp=3", "tp=2, busy machine")
        figures = {name: [] for name in names}
        for _ in range(options.runs):
            figures[names[0]].append(speed(1, 2))
            figures[names[1]].append(speed(2, 1))
            figures[names[2]].append(speed(3, 1))
            busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
            try:
                figures[names[3]].append(speed(2, 1))
            finally:
                busy.kill()
                busy.wait()
            say("  " + "   ".join(f"{name} {figures[name][-1]:.1f}" for name in names))
    threads, two, three, beside = (statistics.median(figures[name]) for name in names)
    print(f"decode of a model of width 768 and 12 heads, tokens/s, medians of {options.runs}")
    for name, value in zip(names, (threads, two, three, beside), strict=True):
        print(f"  {name:20} {value:8.1f}")
    good = judge("tp=2 to tp=1 on 2 threads", two / threads, RANKS_RATIO, at_most=False)
    good &= judge("time of tp=3 to tp=2", two / three, MORE_RANKS, at_most=True)
    return good & judge(
        "of the share left by a busy process", beside / (two * 2 / 3), BUSY_SHARE, at_most=False
    )
