"""Tokens/s of generating, beside the speed of memory and llama.cpp on the same weights."""

from . import ours
from .contest import Contest
from .judge import judge

KERNEL_SHARE = 0.85  # of what the product of one row alone reaches over the same bytes
PROMPT_TOKENS, NEW_TOKENS = 32, 64


def run(options):
    contest = Contest(options, PROMPT_TOKENS, NEW_TOKENS)

    def limits(metrics):
        product, read = ours.streams(contest.threads)[options.dtype]
        # Every weight of every rank is read once for a token.
        gigabytes = 1e-9 * options.tp * metrics["weight_bytes_per_rank"]
        return {"kernel alone": product / gigabytes, "plain reading": read / gigabytes}

    medians = contest.run("decode_tokens_per_s", 1, limits)
    print(
        f"share of the bandwidth of plain reading: {medians['ours'] / medians['plain reading']:.2f}"
    )
    share = medians["ours"] / medians["kernel alone"]
    good = judge("share of the kernel alone", share, KERNEL_SHARE, at_most=False)
    return contest.judge(medians) and good
