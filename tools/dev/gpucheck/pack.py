"""Makes the folder that tools/gpu-check takes to a machine with a GPU: executables for it,
inputs, and results of the same programs on this machine's processors."""

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import models
import numpy as np
import programs

from console import BIN, ROOT, Progress, fail, say

HERE = Path(__file__).resolve().parent
LIMIT_BYTES = 64 << 20
SEED = 6
CHECKER = (
    "arrays.py",
    "benchmark.py",
    "check.py",
    "driver.py",
    "page.py",
    "rates.py",
    "speed.py",
    "steps.py",
)
NUMPY_TYPES = {"f64": "f8", "f32": "f4", "bf16": "f4", "f16": "f4", "i64": "i8", "i32": "i4",
               "i8": "i1", "i1": "i1"}  # fmt: skip
# Logits of models may differ more than one operation's result, as a part of the largest.
LOGITS = {"f32": 1e-4, "bf16": 4e-2}
# One of each kind of kernel, for compute-sanitizer.
SANITIZED = ("products", "norms", "attention", "reductions")


def tool(title, *command):
    """Runs a tool; ends this one where it fails."""
    with Progress(title, quiet=True):
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode:
        say(done.stderr.rstrip())
        say(f"note: the command was: {' '.join(map(str, command))}")
        raise SystemExit(done.returncode if done.returncode > 0 else 3)
    return done.stdout


class Packer:
    def __init__(self, folder, arch, small, scratch):
        self.folder, self.arch, self.small, self.scratch = folder, arch, small, scratch
        for name in ("programs", "golden", "inputs", "checker"):
            (folder / name).mkdir()

    def compile(self, source, name, ranks=1):
        """The program for GPUs, in the folder."""
        output = self.folder / "programs" / name
        self._compile(source, ranks, self.arch, output)
        strip = shutil.which("strip") or shutil.which("llvm-strip-22")
        if strip:
            tool("stripping", strip, output)
        return name

    def reference(self, source, name):
        """The program for this machine's processors."""
        output = self.scratch / f"{name}.cpu"
        self._compile(source, 1, "cpu", output)
        return output

    def _compile(self, source, ranks, target, output):
        plan = "megatron" if ranks > 1 else "replicated"
        mesh = ["--plan", plan, "--mesh", f"tp={ranks}", "--no-check", "--target", target]
        tool(f"compiling {output.name}", BIN / "tp-compile", source, *mesh, "-o", output)

    # Entries, each against its result on processors.

    def entries(self):
        chosen = [e for e in programs.entries() if e.small or not self.small]
        source = self.scratch / "entries.mlir"
        source.write_text(programs.module(chosen))
        program = self.compile(source, "entries")
        reference = self.reference(source, "entries")
        described = json.loads(tool("describing", reference, "--describe"))["entries"]
        sanitized = {}
        for entry in chosen:
            sanitized.setdefault(entry.group, entry.name)
        checks = []
        with Progress("results on processors"):
            for entry in chosen:
                dtypes = [result["dtype"] for result in described[entry.name]["results"]]
                sanitize = entry.group in SANITIZED and sanitized[entry.group] == entry.name
                checks.append(self.entry(entry, program, reference, dtypes, sanitize))
        return checks

    def entry(self, entry, program, reference, dtypes, sanitize):
        files = {}
        for number, one in enumerate(entry.inputs):
            generator = np.random.default_rng([SEED, number, *entry.name.encode()])
            values = generator.uniform(one.low, one.high, one.shape)
            values = np.floor(values) if one.dtype[0] == "i" else values
            files[one.name] = f"{entry.name}.{one.name}.npy"
            np.save(self.folder / "inputs" / files[one.name],
                    values.astype(NUMPY_TYPES[one.dtype]))  # fmt: skip
        command = [reference, "--entry", entry.name, "--output", self.scratch / "results"]
        for name, file in files.items():
            command += ["--input", f"{name}={self.folder / 'inputs' / file}"]
        tool(f"running {entry.name}", *command)
        golden = []
        for number, dtype in enumerate(dtypes):
            file = f"{entry.name}.{number}.npy"
            shutil.move(self.scratch / "results" / f"result{number}.npy",
                        self.folder / "golden" / file)  # fmt: skip
            golden.append({"result": f"result{number}.npy", "file": file, "dtype": dtype})
        return {
            "name": entry.name,
            "group": entry.group,
            "program": program,
            "entry": entry.name,
            "inputs": files,
            "golden": golden,
            "small": entry.small,
            "sanitize": sanitize,
        }

    # Models, whose weights are made of a seed where they run.

    def model(self, name, config, *options):
        """The model IR of a shape."""
        directory = self.scratch / name
        if not directory.exists():
            models.write_hollow_checkpoint(directory, config)
        source = self.scratch / f"{name}{'-'.join(options)}.mlir"
        tool(f"importing {name}", BIN / "tp-import", directory, *options, "-o", source)
        return source

    def decoders(self):
        shape = ("decoder", models.DECODER, 32, 160, 75, 16)
        meshes = {"f32": (1, 2, 3), "bf16": (1, 2, 3)}
        if self.small:
            shape = ("small decoder", models.SMALL_DECODER, 8, 64, 19, 5)
            meshes["f32"] = (1,)
        return [self.decoder(*shape, dtype, meshes[dtype]) for dtype in meshes]

    def decoder(self, title, config, chunk, length, prompt, count, dtype, meshes):
        name = title.replace(" ", "-")
        options = ["--dtype", dtype, "--chunk", str(chunk), "--max-seq", str(length)]
        source = self.model(name, config, *options)
        tokens = [7 + i * 31 % (config["vocab_size"] - 7) for i in range(prompt)]
        golden = f"{name}-{dtype}.npy"
        text = tool(
            f"running {name}",
            *(self.reference(source, f"{name}-{dtype}"), "--random-weights", SEED),
            *("--tokens", ",".join(map(str, tokens)), "--generate", count),
            *("--logits", self.folder / "golden" / golden),
        )
        return {
            "name": f"{title} {dtype}",
            "programs": {str(n): self.compile(source, f"{name}-{dtype}-{n}", n) for n in meshes},
            "tokens": tokens,
            "generate": count,
            "golden": golden,
            "golden_tokens": [int(token) for token in text.split(",")],
            "tolerance": LOGITS[dtype],
            "small": self.small,
        }

    def benchmarks(self):
        """Programs whose speed is measured; their values have been checked on smaller ones."""
        if self.small:
            title, config, sizes, count = "small", models.SMALL_BENCH, [(8, 16)], 2
        else:
            title, config, sizes, count = "8B", models.LLAMA_8B, [(512, 1024), (2048, 2048)], 32
        products = self.scratch / "products.mlir"
        products.write_text(models.products_module(config, [chunk for chunk, _ in sizes], 3))
        program = self.compile(products, "products")
        result = []
        for chunk, prompt in sizes:
            options = ["--dtype", "bf16", "--chunk", str(chunk)]
            source = self.model(title, config, *options, "--max-seq", str(prompt + chunk))
            work = models.work_of(config, prompt)
            result.append(
                {
                    "name": f"{title}, chunk {chunk}",
                    "program": self.compile(source, f"{title}-{chunk}"),
                    "chunk": chunk,
                    "capacity": prompt + chunk,
                    "tokens": [7 + i * 7919 % (config["vocab_size"] - 7) for i in range(prompt)],
                    "generate": count,
                    "runs": 1 if self.small else 3,
                    "step_bytes": work.step_bytes,
                    "prefill_flops": work.prefill_flops,
                    "products": {"program": program, "entry": f"products_{chunk}"},
                    "aims": not self.small,
                    "small": self.small,
                }
            )
        return result

    def checker(self):
        for name in CHECKER:
            shutil.copy(HERE / name, self.folder / "checker" / name)
        start = self.folder / "gpu-check"
        start.write_text(
            "#!/bin/sh\n# Checks this folder on the GPU of this machine; --help.\n"
            'here=$(cd "$(dirname "$0")" && pwd)\n'
            'case ${1-} in -h | --help) exec python3 "$here/checker/check.py" --help ;; esac\n'
            'exec python3 "$here/checker/check.py" "$here" "$@"\n'
        )
        start.chmod(0o755)

    def pack(self):
        self.checker()
        values = {
            "version": 1,
            "target": self.arch,
            "small": self.small,
            "made_of": revision(),
            "seed": SEED,
            "entries": self.entries(),
            "decoders": self.decoders(),
            "benchmarks": self.benchmarks(),
        }
        (self.folder / "pack.json").write_text(json.dumps(values, indent=1) + "\n")


def revision():
    """The commit that this is built of, where git tells."""
    done = subprocess.run(
        ["git", "-C", str(ROOT), "describe", "--always", "--dirty"], capture_output=True, text=True
    )
    return done.stdout.strip()


def size_of(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def pack(folder, arch, small):
    """Makes `folder`, which must not exist; nothing is left where that fails."""
    folder = Path(folder)
    if folder.exists():
        fail(f"'{folder}' exists")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".gpu-check.") as scratch:
        made = Path(scratch) / "pack"
        work = Path(scratch) / "work"
        made.mkdir()
        work.mkdir()
        Packer(made, arch, small, work).pack()
        size = size_of(made)
        if size > LIMIT_BYTES:
            fail(f"the folder has {size} bytes, at most {LIMIT_BYTES} may travel", status=3)
        os.rename(made, folder)
    say(f"{folder}: {size / (1 << 20):.1f} MiB for {arch}; there: {folder.name}/gpu-check")
