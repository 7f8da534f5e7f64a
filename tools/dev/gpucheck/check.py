"""Runs all checks of a folder that `tools/gpu-check --pack` made, on this machine's GPU.

It needs the folder, Python and the GPU's libraries only: nothing is compiled here. Programs
run one by one with a limit each and within --seconds in all; what fails, is missing or has
no time left is a row of the result and ends nothing. The page goes to standard output and,
with one JSON of the same rows, into the folder of --output, both after every step.

Exit code 1 when a check failed, 2 for wrong usage; aims that are missed, steps that were
skipped and those without time are no failure.
"""

import argparse
import concurrent.futures
import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import speed  # noqa: E402
from arrays import Failed, compare, compare_tokens  # noqa: E402
from driver import Driver, DriverError  # noqa: E402
from page import page_text  # noqa: E402
from steps import Clock, OutOfTime, Row, Skipped, run  # noqa: E402

ENTRY_S = 60
DECODER_S = 90
SANITIZER_S = 120
COPY_BYTES = 1 << 30
SANITIZERS = ("memcheck", "racecheck", "initcheck", "synccheck")


class Check:
    """One run over a folder."""

    def __init__(self, folder, options, scratch):
        self.folder = folder
        self.pack = json.loads((folder / "pack.json").read_text())
        self.options = options
        self.output = options.output or folder / "found"
        self.scratch = scratch
        self.clock = Clock(options.seconds)
        # Copies of the folder may have lost what may be run.
        for program in (folder / "programs").iterdir():
            if not os.access(program, os.X_OK):
                program.chmod(0o755)
        self.rows = []
        self.tables = {}
        self.device = None
        self.bandwidth = None
        self._helps = {}

    def wanted(self, name, small=True):
        only = self.options.only
        return (small or not self.options.small) and (not only or any(o in name for o in only))

    def program(self, name):
        return self.folder / "programs" / name

    def has_option(self, program, option):
        """Whether a program was compiled with a runtime that has the option."""
        if program not in self._helps:
            self._helps[program] = run([self.program(program), "--help"], 30)
        return option in self._helps[program]

    def step(self, name, group, body, aim=""):
        """Runs `body`, which returns (detail, found, below): a row in any case."""
        begin = time.monotonic()
        row = Row(name, group, "ok", aim=aim)
        try:
            row.detail, row.found, below = body()
            row.state = "below" if below else "ok"
        except Skipped as reason:
            row.state, row.detail = "skipped", str(reason)
        except OutOfTime as reason:
            # A limit of its own that was too short is a failure.
            row.state = "no time" if self.clock.left <= 0 else "failed"
            row.detail = str(reason)
        except (Failed, DriverError, OSError, ValueError, KeyError) as error:
            row.state, row.detail = "failed", f"{error}" or type(error).__name__
        row.seconds = time.monotonic() - begin
        return row

    def keep(self, row):
        self.rows.append(row)
        if row.state == "failed":
            print(f"failed: {row.name}: {row.detail}", file=sys.stderr, flush=True)
        self.write()

    def write(self):
        values = {
            "version": 1,
            "pack": {key: self.pack[key] for key in ("target", "small", "made_of")},
            "device": self.device,
            "copy_bytes_per_s": self.bandwidth,
            "seconds_left": round(self.clock.left, 1),
            "rows": [row.json() for row in self.rows],
            "kernels": self.tables,
        }
        self.output.mkdir(parents=True, exist_ok=True)
        for name, text in (
            ("gpu-check.json", json.dumps(values, indent=1) + "\n"),
            ("gpu-check.txt", page_text(self)),
        ):
            scratch = self.output / f".{name}"
            scratch.write_text(text)
            scratch.replace(self.output / name)

    # What is measured first: the limits of the device.

    def measure_device(self):
        def body():
            driver = Driver()
            self.device = driver.describe()
            size = COPY_BYTES if not self.pack["small"] else 1 << 22
            self.bandwidth = driver.copy_bandwidth(size)
            return f"{self.bandwidth / 1e9:.0f} GB/s read and written", self.bandwidth, False

        self.keep(self.step("copies in the device's memory", "device", body))

    # Values against those of the CPU.

    def entry(self, check):
        def body():
            out = Path(tempfile.mkdtemp(dir=self.scratch))
            self.run_entry(check, out, [], self.clock.limit(ENTRY_S))
            worst = 0.0
            for golden in check["golden"]:
                path = out / golden["result"]
                worst = max(
                    worst, compare(path, self.folder / "golden" / golden["file"], golden["dtype"])
                )
            shutil.rmtree(out)
            return "", worst, False

        return self.step(check["name"], check["group"], body)

    def run_entry(self, check, out, before, seconds):
        command = [*before, self.program(check["program"]), "--entry", check["entry"]]
        for name, file in check["inputs"].items():
            command += ["--input", f"{name}={self.folder / 'inputs' / file}"]
        return run([*command, "--output", out], seconds)

    def entries(self):
        checks = [c for c in self.pack["entries"] if self.wanted(c["name"], c["small"])]
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            for row in pool.map(self.entry, checks):
                self.keep(row)

    def decoder_command(self, check, program, out):
        command = [self.program(program), "--random-weights", self.pack["seed"]]
        command += ["--tokens", ",".join(map(str, check["tokens"]))]
        return [*command, "--generate", check["generate"], "--logits", out]

    def decoder(self, check, ranks, virtual):
        program = check["programs"][str(ranks)]
        name = f"{check['name']}, {ranks} {'virtual ' * virtual}rank{'s' * (ranks > 1)}"
        if not self.wanted(name, check["small"]):
            return

        def body():
            out = self.scratch / f"{program}.npy"
            command = self.decoder_command(check, program, out)
            if virtual and not self.has_option(program, "--virtual-ranks"):
                raise Skipped("the program has no --virtual-ranks")
            if not virtual and self.device and self.device["count"] < ranks:
                raise Skipped(f"{self.device['count']} GPU")
            command += ["--virtual-ranks", ranks] if virtual else []
            text = run(command, self.clock.limit(DECODER_S))
            worst = compare_tokens(
                [int(token) for token in text.split(",")],
                out,
                check["golden_tokens"],
                self.folder / "golden" / check["golden"],
                check["tolerance"],
            )
            return f"{len(check['golden_tokens'])} tokens", worst, False

        self.keep(self.step(name, "decoder", body))

    def decoders(self, one):
        for check in self.pack["decoders"]:
            for ranks in map(int, check["programs"]):
                if (ranks == 1) == one:
                    self.decoder(check, ranks, False)
                    if ranks > 1:
                        self.decoder(check, ranks, True)

    # compute-sanitizer

    def sanitizers(self):
        found = shutil.which("compute-sanitizer")
        cuda = Path(os.environ.get("CUDA_HOME", "/usr/local/cuda")) / "bin/compute-sanitizer"
        found = found or (str(cuda) if cuda.exists() else None)
        checks = [c for c in self.pack["entries"] if c["sanitize"]]
        for tool in SANITIZERS:
            before = [found, "--tool", tool, "--error-exitcode", "99"]

            def body():
                if not found:
                    raise Skipped("compute-sanitizer is not installed")
                for check in checks:
                    try:
                        self.run_entry(check, self.scratch / tool, before,
                                       self.clock.limit(SANITIZER_S))  # fmt: skip
                    except Failed as error:
                        raise Failed(f"{check['name']}: {error}") from error
                return f"{len(checks)} entries", None, False

            if self.wanted(tool):
                self.keep(self.step(tool, "sanitizer", body))

    # Speed

    def benchmark(self, bench):
        command = [self.program(bench["program"]), "--random-weights", self.pack["seed"]]
        name, found = bench["name"], {}

        def aim(text):
            return text if bench["aims"] else ""

        def need(key):
            if key not in found:
                raise Skipped(f"{key} was not measured")
            return found[key]

        def take(key, *more):
            log = self.scratch / "serve.log"
            found[key] = speed.measure([*command, *more], bench, self.clock, log)

        def decode():
            take("speed")
            step = found["speed"].step
            detail = f"{1 / step:.1f} tokens/s, weights in {found['speed'].load:.1f} s"
            if not self.bandwidth:
                return detail, 1 / step, False
            share = bench["step_bytes"] / self.bandwidth / step
            return (
                f"{detail}, {share:.1%} of the memory limit",
                share,
                bench["aims"] and share < 0.85,
            )

        def prefill():
            tokens = len(bench["tokens"])
            rate = tokens / need("speed").prefill
            detail = f"{rate:.0f} tokens/s of {tokens}"
            peaks = self.device and speed.peaks_of(self.device["name"])
            if peaks:
                share = bench["prefill_flops"] / need("speed").prefill / peaks[0]
                detail += f", {share:.1%} of the peak"
            return detail, rate, False

        def trace():
            found["prefill"], found["step"] = speed.trace(command, bench, self.clock, self.scratch)
            for part in ("prefill", "step"):
                self.tables[f"{name}, {part}"] = speed.kernels_table(
                    found[part], (self.device or {}).get("name", ""), self.bandwidth or 1e12
                )
            return f"{len(found['prefill'])} and {len(found['step'])} spans", None, False

        def others():
            spans = need("prefill")
            total = sum(span.seconds for span in spans)
            share = sum(span.seconds for span in spans if span.kind != "gemm") / total
            return (
                f"{share:.1%} of the device's time of prefill",
                share,
                bench["aims"] and share > 0.25,
            )

        def products():
            program = self.program(bench["products"]["program"])
            weights = ["--random-weights", self.pack["seed"]]
            alone = speed.products_alone([program, *weights], bench, self.clock, self.scratch)
            share = speed.products_share(need("prefill"), alone)
            return (
                f"{share:.1%} of the speed that they have alone",
                share,
                bench["aims"] and share < 0.95,
            )

        def gaps(key, *more):
            if more:
                if not self.has_option(bench["program"], more[0]):
                    raise Skipped(f"the program has no {more[0]}")
                take(key, *more)
            step = need(key).step
            busy = sum(span.seconds for span in need("step"))
            share = max(0.0, 1 - busy / step)
            detail = f"{share:.1%} of a step of {step * 1e3:.2f} ms"
            return detail, share, not more and bench["aims"] and share > 0.05

        for title, body, target in (
            ("decode", decode, ">= 85 %"),
            ("prefill", prefill, ""),
            ("trace", trace, ""),
            ("other kernels", others, "<= 25 %"),
            ("products", products, ">= 95 %"),
            ("launch gaps", lambda: gaps("speed"), "<= 5 %"),
            ("launch gaps without graphs", lambda: gaps("plain", "--no-graphs"), ""),
        ):
            self.keep(self.step(f"{name}: {title}", "speed", body, aim(target)))

    def run(self):
        self.measure_device()
        self.decoders(one=True)
        self.entries()
        self.decoders(one=False)
        for bench in self.pack["benchmarks"]:
            if self.wanted(bench["name"], bench["small"]):
                self.benchmark(bench)
        self.sanitizers()


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="gpu-check", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="what --pack made")
    parser.add_argument("--seconds", type=float, default=600, help="for all steps (default 600)")
    parser.add_argument(
        "--only", action="append", metavar="NAME", help="steps with NAME in their name; repeatable"
    )
    parser.add_argument("--small", action="store_true", help="small shapes only")
    parser.add_argument(
        "--jobs", type=int, default=min(4, os.cpu_count() or 1),
        help="entries at once (default: up to 4); speed is measured alone",
    )  # fmt: skip
    parser.add_argument("--output", type=Path, help="folder of page and JSON (default: DIR/found)")
    options = parser.parse_args(arguments)
    if not (options.folder / "pack.json").exists():
        parser.error(f"'{options.folder}' has no pack.json: make it with tools/gpu-check --pack")
    if options.seconds <= 0 or options.jobs < 1:
        parser.error("--seconds and --jobs must be positive")
    return options


def main(arguments=None):
    options = parse(arguments)
    with tempfile.TemporaryDirectory(prefix="gpu-check.") as scratch:
        check = Check(options.folder.resolve(), options, Path(scratch))
        check.run()
        print(page_text(check), end="")
    return 1 if any(row.state == "failed" for row in check.rows) else 0


if __name__ == "__main__":
    sys.exit(main())
