"""Memory of a process beside what the runtime accounts, on the demo's model."""

import model

from . import ours
from .judge import judge

MIB = 1 << 20
FACTOR, CONSTANT_MIB = 1.10, 60
PROMPT_TOKENS, NEW_TOKENS = 130, 16


def run(options):
    model.build("tp-import", "tp-compile")
    good = True
    for tp in (1, 2, 3):
        directory, executable = ours.published(options.dtype, tp)
        prompt = ours.ordinary_prompt(PROMPT_TOKENS)
        metrics = ours.measure(executable, directory, prompt, NEW_TOKENS, options.threads)
        accounted = tp * metrics["peak_bytes_per_rank"] / MIB
        resident = metrics["process_peak_rss_bytes"] / MIB
        limit = FACTOR * accounted + CONSTANT_MIB
        what = f"tp={tp}: resident MiB, {accounted:.0f} accounted in at most {tp} equal ranks"
        good &= judge(what, resident, limit, at_most=True)
    return good
