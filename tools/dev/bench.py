"""Benchmarks, run by hand on a quiet machine; see tools/bench.

  compile      time from annotation to partitioned IR per decoder layer
  core         the same on programs of layers and of many uses, beside MLIR's shard passes and JAX
  prefill      tokens/s of reading a prompt, beside the machine's peak and llama.cpp
  decode       tokens/s of generating, beside the speed of memory and llama.cpp
  ranks        decoding by ranks against threads, more ranks than cores, a busy machine
  collectives  all-reduces between rank threads
  memory       resident memory beside what is accounted

Every figure is the median of several runs. Programs that are compared take
turns within one run, since figures of different hours do not compare. The
limit that the project sets itself stands beside the figure; the exit status
is 1 when one is missed.
"""

import argparse
import sys

from benches import collectives, core, decode, memory, partition, prefill, ranks

BENCHES = {
    "compile": partition,
    "core": core,
    "prefill": prefill,
    "decode": decode,
    "ranks": ranks,
    "collectives": collectives,
    "memory": memory,
}


def positive(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"expected a positive number, found {value}")
    return value


def main():
    parser = argparse.ArgumentParser(
        prog="tools/bench",
        description=__doc__.split("\n\n", 1)[1],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("name", choices=BENCHES)
    parser.add_argument("--runs", type=positive, default=5, help="runs per figure (default 5)")
    parser.add_argument("--threads", type=positive, default=1, help="threads per rank (default 1)")
    parser.add_argument(
        "--tp", type=positive, default=1, help="ranks of prefill and decode (default 1)"
    )
    parser.add_argument(
        "--dtype", choices=("f32", "bf16"), default="f32", help="of the demo's model (default f32)"
    )
    parser.add_argument(
        "--jax", metavar="PYTHON", help="an interpreter with JAX, for core (default: its own)"
    )
    options = parser.parse_args()
    return 0 if BENCHES[options.name].run(options) else 1


if __name__ == "__main__":
    sys.exit(main())
