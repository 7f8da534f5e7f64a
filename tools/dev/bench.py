"""Benchmarks, run by hand on a quiet machine; see tools/bench.

  compile   time from annotation to partitioned IR per decoder layer
  prefill   tokens/s of reading a prompt, beside llama.cpp on the same weights
  decode    tokens/s of generating, beside llama.cpp on the same weights

Every figure is the median of several runs. Programs that are compared take
turns within one run, since figures of different hours do not compare. The
limit that the project sets itself stands beside the figure; the exit status
is 1 when one is missed.
"""

import argparse
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import model
from console import BIN, Progress, fail, say

# --- compile ----------------------------------------------------------------

LAYERS = (8, 16, 32, 64, 128, 256, 512, 1024)
# A language model has two entries, prefill and decode, each with all layers.
ENTRIES = 2
MS_PER_LAYER_LIMIT = 1.0
# How much a layer may cost more at the largest depth than at 64 layers before
# the time no longer counts as linear.
LINEAR_LIMIT = 1.5


def timing_seconds(report):
    """Seconds of the passes in a report of --mlir-timing: all but reading and writing.

    The report gives the wall time of everything, then in its list form one
    line per timer, with wall time as the last (or only) column before the name.
    """
    total = re.search(r"Total Execution Time: ([\d.]+) seconds", report)
    if not total:
        raise ValueError("no total in the timing report")
    rows = re.findall(r"(-?[\d.]+) \(\s*-?[\d.]+%\)\s+([^\s\d(].*)$", report, re.MULTILINE)
    times = {name.strip(): float(seconds) for seconds, name in rows}
    return float(total[1]) - times.get("Parser", 0.0) - times.get("Output", 0.0)


def layered_model(layers, folder):
    """Model IR with `layers` equal decoder layers, from a tiny checkpoint."""
    from tp import tiny

    checkpoint = tiny.make("even", folder / f"hf-{layers}", num_hidden_layers=layers)
    output = folder / f"model-{layers}.mlir"
    model.run_tool(f"importing {layers} layers", [BIN / "tp-import", checkpoint, "-o", output])
    return output


def partition_seconds(ir):
    """Seconds from the annotated module to partitioned IR, verifiers off."""
    command = [BIN / "tp-opt", ir, "--tp-apply-plan=plan=megatron mesh=tp=4", "--verify-each=false"]
    command += [f"--tp-{name}-pipeline=verify=false" for name in ("plan", "reshard", "partition")]
    command += ["--mlir-timing", "--mlir-timing-display=list", "-o", "/dev/null"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        say(result.stderr)
        raise SystemExit(result.returncode)
    return timing_seconds(result.stderr)


def bench_compile(options):
    model.build("tp-import", "tp-opt")
    print("layers    time   per layer  per layer and entry")
    per_layer = {}
    with tempfile.TemporaryDirectory() as folder:
        for layers in LAYERS:
            ir = layered_model(layers, Path(folder))
            seconds = statistics.median(partition_seconds(ir) for _ in range(options.runs))
            milliseconds = 1000 * seconds
            per_layer[layers] = milliseconds / layers / ENTRIES
            print(
                f"{layers:6}  {milliseconds:7.1f} ms  {milliseconds / layers:.3f} ms"
                f"   {per_layer[layers]:.3f} ms",
                flush=True,
            )
    worst = max(per_layer[layers] for layers in LAYERS if layers >= 64)
    growth = per_layer[LAYERS[-1]] / per_layer[64]
    good = judge("ms per layer and entry, from 64 layers on", worst, MS_PER_LAYER_LIMIT, at_most=True)
    return judge("growth of a layer's cost", growth, LINEAR_LIMIT, at_most=True) and good


# --- prefill, decode --------------------------------------------------------

RATIO_LIMIT = 0.8
PROMPT_TOKENS = 256
GENERATED_TOKENS = 64


def full_precision_gguf():
    """The demo's model as GGUF with f32 tensors: the same weights, for llama.cpp."""
    import gguf

    output = model.GGUF.with_name("SmolLM2-135M-Instruct.F32.gguf")
    cached = model.Cached(output, [model.GGUF])
    if cached.fresh:
        return output
    scratch = output.with_suffix(".partial")
    with Progress("writing the model as f32 GGUF") as progress:
        reader = gguf.GGUFReader(model.GGUF)
        writer = gguf.GGUFWriter(scratch, reader.fields["general.architecture"].contents())
        for name, field in reader.fields.items():
            if not name.startswith("GGUF.") and name != "general.architecture":
                sub_type = field.types[-1] if len(field.types) > 1 else None
                writer.add_key_value(name, field.contents(), field.types[0], sub_type)
        for tensor in reader.tensors:
            writer.add_tensor(tensor.name, gguf.dequantize(tensor.data, tensor.tensor_type))
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
        scratch.rename(output)
    cached.done(progress.seconds)
    return output


class LlamaCpp:
    """llama.cpp through its C interface, on `threads` threads."""

    def __init__(self, path, threads):
        import llama_cpp

        self._api = llama_cpp
        self._llama = llama_cpp.Llama(
            model_path=str(path),
            n_ctx=2 * (PROMPT_TOKENS + GENERATED_TOKENS),
            n_batch=PROMPT_TOKENS,
            n_ubatch=PROMPT_TOKENS,
            n_threads=threads,
            n_threads_batch=threads,
            verbose=False,
        )

    def _decode(self, tokens):
        array = (self._api.llama_token * len(tokens))(*tokens)
        batch = self._api.llama_batch_get_one(array, len(tokens))
        if self._api.llama_decode(self._llama.ctx, batch):
            fail("llama.cpp failed", status=3)
        # Waits for the result, as reading it would.
        self._api.llama_synchronize(self._llama.ctx)

    def measure(self, prompt):
        """(prefill, decode) tokens/s; any token will do as the one generated."""
        self._llama.reset()
        self._api.llama_memory_clear(self._api.llama_get_memory(self._llama.ctx), True)
        start = time.perf_counter()
        self._decode(prompt)
        middle = time.perf_counter()
        for i in range(GENERATED_TOKENS):
            self._decode([prompt[i]])
        end = time.perf_counter()
        return len(prompt) / (middle - start), GENERATED_TOKENS / (end - middle)


def measure_ours(executable, directory, prompt, threads):
    """(prefill, decode) tokens/s of a compiled model, from its own metrics."""
    from tp.executable import command_line, stream_ids

    with tempfile.NamedTemporaryFile(suffix=".json") as metrics:
        extra = ["--threads", str(threads), "--metrics", metrics.name]
        command = command_line(executable, directory, prompt, GENERATED_TOKENS, extra)
        for _ in stream_ids(command):
            pass
        values = model.read_metrics(metrics.name)
    return values["prefill_tokens_per_s"], values["decode_tokens_per_s"]


def bench_speed(options, which):
    model.build("tp-import", "tp-compile")
    directory = model.checkpoint()
    executable = model.compiled(model.imported(directory), 1).executable
    # Ordinary tokens of the vocabulary, none of them special.
    prompt = [1000 + 97 * i for i in range(PROMPT_TOKENS)]
    other = LlamaCpp(full_precision_gguf(), options.threads)
    other.measure(prompt)  # warm-up: pages of the weights, threads
    ours, theirs = [], []
    for _ in range(options.runs):
        ours.append(measure_ours(executable, directory, prompt, options.threads)[which])
        theirs.append(other.measure(prompt)[which])
        say(f"  ours {ours[-1]:8.1f}   llama.cpp {theirs[-1]:8.1f} tokens/s")
    ratio = statistics.median(ours) / statistics.median(theirs)
    name = ("prefill", "decode")[which]
    print(f"{name}, f32, tp=1, threads {options.threads}, median of {options.runs} runs")
    print(f"  ours       {statistics.median(ours):8.1f} tokens/s")
    print(f"  llama.cpp  {statistics.median(theirs):8.1f} tokens/s")
    return judge("ratio", ratio, RATIO_LIMIT, at_most=False)


# --- Common -----------------------------------------------------------------


def judge(what, value, limit, at_most):
    """Prints a figure beside its limit; whether it keeps it."""
    good = value <= limit if at_most else value >= limit
    bound = "at most" if at_most else "at least"
    print(f"{what}: {value:.2f} (limit: {bound} {limit:.2f}) {'ok' if good else 'MISSED'}")
    return good


BENCHES = {
    "compile": bench_compile,
    "prefill": lambda options: bench_speed(options, 0),
    "decode": lambda options: bench_speed(options, 1),
}


def main():
    parser = argparse.ArgumentParser(
        prog="tools/bench",
        description=__doc__.split("\n\n", 1)[1],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("name", choices=BENCHES)
    parser.add_argument("--runs", type=int, default=5, help="runs per figure (default 5)")
    parser.add_argument("--threads", type=int, default=1, help="threads (default 1)")
    options = parser.parse_args()
    if options.runs < 1 or options.threads < 1:
        parser.error("--runs and --threads: expected a positive number")
    return 0 if BENCHES[options.name](options) else 1


if __name__ == "__main__":
    sys.exit(main())
