"""The demo's model compiled by us and in llama.cpp: the same weights, prompt and threads."""

import statistics

import model
from console import say

from . import ours
from .judge import judge
from .llama_cpp import LlamaCpp, full_gguf

LLAMA_CPP_RATIO = 1.0


class Contest:
    def __init__(self, options, prompt_tokens, new_tokens):
        model.build("tp-import", "tp-compile", "tp-bench-kernels")
        self.options = options
        self.threads = options.tp * options.threads
        self.directory, self._executable = ours.published(options.dtype, options.tp)
        self._prompt = ours.ordinary_prompt(prompt_tokens)
        self._new_tokens = new_tokens
        gguf = full_gguf(options.dtype)
        self._other = LlamaCpp(gguf, self.threads, prompt_tokens, new_tokens)
        self._other.measure(self._prompt)  # warm-up: pages of the weights, threads

    def run(self, what, number, limits):
        """Medians of runs in turns, as tokens/s by name: ours (the metric `what`), llama.cpp's
        (`number` 0 for prefill, 1 for decode) and those that `limits(metrics)` gives."""
        options, figures = self.options, {}
        for _ in range(options.runs):
            metrics = ours.measure(
                self._executable, self.directory, self._prompt, self._new_tokens, options.threads
            )
            row = {
                "ours": metrics[what],
                "llama.cpp": self._other.measure(self._prompt)[number],
                **limits(metrics),
            }
            say("  " + "   ".join(f"{name} {value:.1f}" for name, value in row.items()))
            for name, value in row.items():
                figures.setdefault(name, []).append(value)
        print(
            f"{what}, {options.dtype}, tp={options.tp}, {options.threads} threads per rank"
            f" ({self.threads} for llama.cpp), medians of {options.runs}"
        )
        medians = {name: statistics.median(values) for name, values in figures.items()}
        for name, value in medians.items():
            print(f"  {name:14} {value:8.1f}")
        return medians

    def spans(self):
        """As ours.spans, of one run."""
        return ours.spans(self._executable, self.directory, self._prompt, self.options.threads)

    @staticmethod
    def judge(medians):
        ratio = medians["ours"] / medians["llama.cpp"]
        return judge("ratio to llama.cpp", ratio, LLAMA_CPP_RATIO, at_most=False)
