"""All-reduces between two rank threads."""

import statistics

import model

from . import ours
from .judge import judge

LIMITS_US = {768: 5.0, 128 * 768: 60.0}


def run(options):
    model.build("tp-bench-collectives")
    times = {count: [] for count in LIMITS_US}
    for _ in range(options.runs):
        for row in ours.lines_of("tp-bench-collectives", 2, *LIMITS_US):
            times[row["floats"]].append(row["us"])
    good = True
    for count, limit in LIMITS_US.items():
        what = f"all_reduce of {count} f32 at 2 ranks, us, median of {options.runs}"
        good &= judge(what, statistics.median(times[count]), limit, at_most=True)
    return good
