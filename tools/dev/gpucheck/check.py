"""Runs all checks of a folder that `tools/gpu-check --pack` made, on this machine's GPU.

It needs the folder, Python and the GPU's libraries only: nothing is compiled here. Programs
run one by one with a limit each, in phases that have parts of --seconds; what fails, is
missing or has no time left is a row of the result and ends nothing. The page goes to standard
output and, with one JSON of the same rows, into the folder of --output, both after every
step: whoever ends the run early has what was found until then.

Exit code 1 when a check failed, 2 for wrong usage; aims that are missed, steps that were
skipped and those without time are no failure.
"""

import argparse
import concurrent.futures
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import speed  # noqa: E402
from arrays import Failed, compare, compare_tokens  # noqa: E402
from benchmark import Benchmark  # noqa: E402
from driver import DriverError  # noqa: E402
from page import page_text  # noqa: E402
from rates import predicted, rates_of  # noqa: E402
from steps import Clock, OutOfTime, Row, Skipped, end_all, run  # noqa: E402

DRIVER_S = 60
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
        self.phases = []
        self.device = None
        self.bandwidth = None
        self.rates = rates_of(None, None)
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
        except (Failed, DriverError, OSError) as error:
            row.state, row.detail = "failed", f"{error}"
        except Exception as error:  # a program that prints nonsense, a mistake of ours
            row.state, row.detail = "failed", f"{type(error).__name__}: {error}"
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
            "rates": self.rates.json(),
            "phases": self.phases,
            "seconds": round(self.clock.used, 1),
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
            size = COPY_BYTES if not self.pack["small"] else 1 << 22
            command = [sys.executable, HERE / "driver.py", size]
            found = {}
            for line in run(command, self.clock.limit(DRIVER_S)).splitlines():
                found.update(json.loads(line))
            self.device = found.get("device")
            self.bandwidth = found.get("copy_bytes_per_s")
            self.rates = rates_of(self.device, self.bandwidth)
            if "problem" in found:
                raise DriverError(found["problem"])
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

    # Where several ranks spend their time.

    def rank_times(self):
        for check in self.pack["decoders"]:
            for ranks in map(int, check["programs"]):
                for virtual in (False, True):
                    if ranks > 1:
                        self.times_of_ranks(check, ranks, virtual)

    def times_of_ranks(self, check, ranks, virtual):
        program = check["programs"][str(ranks)]
        title = f"{check['name']}, {ranks} {'virtual ' * virtual}ranks"
        if not self.wanted(f"{title}: times", check["small"]):
            return

        def body():
            if not virtual and self.device and self.device["count"] < ranks:
                raise Skipped(f"{self.device['count']} GPU")
            command = self.decoder_command(check, program, self.scratch / "times.npy")
            command += ["--virtual-ranks", ranks] if virtual else []
            found = speed.trace_ranks(command, self.clock, self.scratch / "times.json")
            for entry, spans in found.items():
                self.tables[f"{title}, {entry}"] = speed.kernels_table(
                    spans, lambda span: predicted(span, self.rates, ranks, virtual), most=8
                )
            step = found["decode"]
            total = sum(span.seconds for span in step) or 1
            share = sum(s.seconds for s in step if s.kind in speed.COLLECTIVES) / total
            return f"{share:.1%} of a step's time is in collectives", share, False

        self.keep(self.step(f"{title}: times", "speed", body))

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

    def benchmarks(self):
        for bench in self.pack["benchmarks"]:
            if self.wanted(bench["name"], bench["small"]):
                Benchmark(self, bench).run()

    def run(self):
        """All phases, each with the part of --seconds at which it ends at the latest."""
        for name, until, body in (
            ("device", 0.05, self.measure_device),
            ("decoder", 0.15, lambda: self.decoders(one=True)),
            ("entries", 0.35, self.entries),
            ("ranks", 0.45, lambda: self.decoders(one=False)),
            ("speed", 0.85, self.benchmarks),
            ("times of ranks", 0.9, self.rank_times),
            ("sanitizer", 1.0, self.sanitizers),
        ):
            self.phase(name, until, body)

    def phase(self, name, until, body):
        self.clock.begin(until)
        begin = self.clock.used
        row = self.step(name, "phases", lambda: (body(), None, False))
        if row.state != "ok":  # beside its steps, which are rows
            row.detail = f"the phase ended early: {row.detail}"
            self.keep(row)
        self.phases.append({"name": name, "seconds": round(self.clock.used - begin, 3)})
        self.write()


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

        def stop(number, _):
            """Ends what runs, and then us: what was found is written."""
            end_all()
            shutil.rmtree(scratch, ignore_errors=True)
            os._exit(128 + number)

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, stop)
        check = Check(options.folder.resolve(), options, Path(scratch))
        check.run()
        print(page_text(check), end="")
    return 1 if any(row.state == "failed" for row in check.rows) else 0


if __name__ == "__main__":
    sys.exit(main())
