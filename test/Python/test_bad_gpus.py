"""What programs for GPUs say of machines, files and users that are not as they want them."""

import json
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest
from compiled import BIN, run, succeed
from conftest import ROOT
from jobs import EMULATE, Job, command_of, errors_of, models, start

models = models  # the fixture
WAYS_OUT = """\
note: more ranks hold less each: compile with a larger mesh (--mesh tp=N)
note: a shorter cache holds less: import with a smaller --max-seq
note: a smaller prefill needs a smaller arena: import with a smaller --chunk
"""


def emulate(*command, **variables):
    return run(EMULATE, *command, env={**os.environ, **{k: str(v) for k, v in variables.items()}})


# --- Memory -----------------------------------------------------------------


def test_no_memory_at_load(models):
    """Threads, processes and virtual ranks name what does not fit, what is free and what helps."""
    gpu = models[1]
    done = emulate(*command_of(gpu, 1), TP_EMULATED_MEBIBYTES=0)
    assert done.returncode == 3
    assert done.stderr == (
        "error: cannot allocate 40 bytes for what checks tell: GPU 0 (emulated device) has 0 of 0 "
        f"bytes free\n{WAYS_OUT}"
    )
    arena = json.loads(succeed(gpu.executable(2), "--describe"))
    assert arena["ranks"] == 2
    done = start(
        2,
        *(EMULATE, *command_of(gpu, 2)),
        of=lambda rank: {"TP_EMULATED_MEBIBYTES": 0} if rank else {},
    )
    assert done.returncode == 3
    assert re.search(
        "^error: rank 1 on .*: cannot allocate 40 bytes for what checks tell: GPU 1 "
        rf"\(emulated device\) has 0 of 0 bytes free\n{re.escape(WAYS_OUT)}$",
        done.stderr,
    ), done.stderr


def test_no_memory_of_the_host(models):
    """A rank has page-locked memory for two pieces of 8 MiB and what checks tell."""
    gpu = models[1]
    assert emulate(*command_of(gpu, 1), TP_EMULATED_HOST_MEBIBYTES=17).returncode == 0
    done = emulate(*command_of(gpu, 1), TP_EMULATED_HOST_MEBIBYTES=16)
    assert done.returncode == 3
    assert done.stderr == (
        "error: cannot allocate 8388608 bytes of this machine's memory for copies to and from "
        "GPU 0 (emulated device): CUDA_ERROR_OUT_OF_MEMORY: out of memory\n"
        "note: other processes, or a limit (ulimit -v, a control group), leave too little\n"
    )


# --- NCCL ------------------------------------------------------------------


@pytest.mark.parametrize("processes", [False, True])
def test_what_a_machine_does_not_let_nccl_do(models, processes):
    """Its words pass through, with what users of containers and of virtual machines can do."""
    problem = "Error while creating shared memory segment /dev/shm/nccl-4Tzu (size 9637888)"
    variables = {"TP_EMULATED_NCCL_PROBLEM": problem}
    if processes:
        done = start(2, EMULATE, *command_of(models[1], 2), of=lambda rank: variables)
    else:
        done = emulate(*command_of(models[1], 2), **variables)
    assert done.returncode == 3 and done.stdout == ""
    assert re.fullmatch(
        rf"error: (rank \d.*: )?ncclCommInitRankConfig failed: {re.escape(problem)}\n"
        "note: NCCL_DEBUG=WARN makes NCCL print what it asked of the system\n"
        "note: NCCL shares memory between processes in /dev/shm, which containers keep small: "
        "docker run --shm-size=1g makes it larger\n"
        "note: NCCL_P2P_DISABLE=1 goes without GPUs that reach into each other's memory, "
        "NCCL_SHM_DISABLE=1 without memory that processes share\n",
        done.stderr,
    ), done.stderr


# --- Values -----------------------------------------------------------------


@pytest.fixture(scope="module")
def poisoned(models, tmp_path_factory):
    """The checkpoint with one weight that is NaN."""
    folder = tmp_path_factory.mktemp("nan") / "hf"
    shutil.copytree(models[1].checkpoint, folder)
    path = folder / "model.safetensors"
    data = bytearray(path.read_bytes())
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    name = next(name for name in header if name.endswith("layers.1.mlp.down_proj.weight"))
    begin = 8 + size + header[name]["data_offsets"][0]
    data[begin : begin + 4] = np.float32(np.nan).tobytes()
    path.write_bytes(data)
    return folder


@pytest.mark.parametrize("how", ["threads", "processes", "virtual", "one by one"])
def test_weights_that_are_not_finite(models, poisoned, how):
    program = models[1].executable(2)
    command = [EMULATE, program, "--weights", poisoned, "--tokens", "1,2,3", "--generate", 3]
    command += ["--check-finite"]
    if how == "processes":
        done = start(2, *command)
    else:
        options = {"virtual": ("--virtual-ranks", 2), "one by one": ("--no-graphs",)}
        done = run(*command, *options.get(how, ()))
    assert done.returncode == 3
    assert done.stdout == ""
    assert done.stderr == "error: rank 0 failed: result 1 of 'prefill' is nan at index [0, 0]\n"


@pytest.mark.parametrize("how", ["threads", "processes"])
def test_logits_that_are_not_finite(models, poisoned, how):
    """A token is sampled of none: the first logit that is no number is named, as on a CPU."""
    command = [EMULATE, models[1].executable(2), "--weights", poisoned, "--tokens", "1,2,3"]
    command += ["--generate", 3, "--temperature", 1]
    done = start(2, *command) if how == "processes" else run(*command)
    assert done.returncode == 3
    assert done.stdout == ""
    assert done.stderr == "error: the logit of token 0 is nan\n"


# --- Algorithms of products -------------------------------------------------

PRODUCT = """
func.func @f(%a: tensor<16x64xf32>, %b: tensor<64x32xf32>) -> tensor<16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<16x32xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<16x32xf32>) -> tensor<16x32xf32>
  %c = linalg.matmul ins(%a, %b : tensor<16x64xf32>, tensor<64x32xf32>)
    outs(%start : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %c : tensor<16x32xf32>
}
"""


class Product:
    """A product of both ranks, with the algorithms of a file in the folder of each."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "f.mlir").write_text(PRODUCT)
        options = ["--plan", "replicated", "--mesh", "tp=2", "--target", "cuda:emulated"]
        succeed("tp-compile", folder / "f.mlir", *options, "-o", folder / "f")
        random = np.random.default_rng(7)
        call = ["--entry", "f", "--output", folder / "out", "--autotune", "choices.json"]
        for i, shape in enumerate(((16, 64), (64, 32))):
            np.save(folder / f"{i}.npy", random.standard_normal(shape).astype(np.float32))
            call += ["--input", f"{i}={folder}/{i}.npy"]
        self.call = [EMULATE, folder / "f", *call]

    def run(self, *options, processes=False):
        """The result, which both ranks have bit for bit, or the run is an error."""
        folders = [self.folder / str(rank) for rank in range(2)]
        for folder in folders:
            folder.mkdir(exist_ok=True)
        inside = [Path("/bin/sh"), "-c", 'cd "$FOLDER" && exec "$@"', "sh", *self.call, *options]
        if processes:
            done = start(2, *inside, of=lambda rank: {"FOLDER": folders[rank]})
        else:
            done = run(*inside, env={**os.environ, "FOLDER": str(folders[0])})
        assert done.returncode == 0, done.stderr
        return np.load(self.folder / "out/result0.npy").tobytes()


def test_one_rank_measures_for_all(tmp_path):
    product = Product(tmp_path)
    choices = [tmp_path / f"{rank}/choices.json" for rank in range(2)]
    for options in ({"processes": True}, {}, {"virtual": True}):
        virtual = ("--virtual-ranks", 2) if options.pop("virtual", False) else ()
        product.run(*virtual, **options)
        # Rank 0 writes what it has measured, the other neither reads nor writes.
        (entry,) = json.loads(choices[0].read_text())
        assert list(entry) == ["device", "cublasLt", "products"] and len(entry["products"]) == 1
        assert not choices[1].exists()
        choices[0].unlink()


def test_all_ranks_take_the_algorithms_of_rank_0(tmp_path):
    """Sums in parts have other bits, so that ranks with files of their own would differ."""
    product = Product(tmp_path)
    product.run()
    path = tmp_path / "0/choices.json"
    text = json.loads(path.read_text())
    (name,) = text[0]["products"]

    def write(folder, parts):
        text[0]["products"][name]["algorithm"][1] = parts
        (tmp_path / folder / "choices.json").write_text(json.dumps(text))

    found = {}
    for parts in (1, 4):
        write("0", parts)
        write("1", 5 - parts)
        others = (tmp_path / "1/choices.json").read_text()
        found[parts] = product.run()
        assert product.run("--virtual-ranks", 2) == found[parts]
        assert product.run(processes=True) == found[parts]
        assert (tmp_path / "1/choices.json").read_text() == others
    assert found[1] != found[4]


NO_ALGORITHMS = "has no algorithms of matrix products"


@pytest.mark.parametrize(
    "text, problem",
    [
        ("[{", "it is no JSON, see byte 3"),
        ("\x00\xff", "it is no JSON, see byte 1"),
        ("{}", "it is no list"),
        ("7", "it is no list"),
        ("[7]", 'an entry needs "device", a text'),
        ('[{"device": 1}]', 'an entry needs "device", a text'),
        ('[{"device": "x"}]', 'an entry needs "cublasLt", a text'),
        ('[{"device": "x", "cublasLt": "1"}]', 'an entry needs "products", an object'),
        *(
            (
                '[{"device": "x", "cublasLt": "1", "products": {"p": %s}}]' % choice,
                '\'p\' needs "algorithm", 8 numbers, and "microseconds", a number',
            )
            for choice in (
                "1",
                "{}",
                '{"algorithm": [1, 2], "microseconds": 1}',
                '{"algorithm": [1, 2, 3, 4, 5, 6, 7, -8], "microseconds": 1}',
                '{"algorithm": [1, 2, 3, 4, 5, 6, 7, 8], "microseconds": "1"}',
                '{"algorithm": {"a": 1}, "microseconds": 1}',
            )
        ),
    ],
)
def test_file_of_algorithms_that_is_broken(models, tmp_path, text, problem):
    """Also where the program has no products."""
    (tmp_path / "none.mlir").write_text("""
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = math.tanh %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
""")
    path = tmp_path / "choices.json"
    path.write_text(text)
    none = [EMULATE, "build/bin/tp-run", tmp_path / "none.mlir", "--mesh", "tp=1"]
    for command in (
        [*none, "--target", "cuda"],
        [EMULATE, *command_of(models[1], 1)],
        [EMULATE, *command_of(models[1], 2), "--virtual-ranks", 2],
    ):
        done = run(*command, "--autotune", path, cwd=ROOT)
        assert done.returncode == 2
        assert done.stderr == (
            f"error: {path}: {NO_ALGORITHMS}: {problem}\n"
            "note: without the file they are measured anew\n"
        )
    assert path.read_text() == text


def test_file_of_algorithms_without_a_name(models):
    done = run(*command_of(models[1], 1), "--autotune", "")
    assert (done.returncode, done.stderr) == (2, "error: --autotune needs a value\n")


# --- Ends of runs -----------------------------------------------------------


@pytest.mark.parametrize("how", ["INT", "TERM"])
@pytest.mark.parametrize("ranks, processes", [(2, False), (2, True)])
def test_program_that_is_told_to_end(models, tmp_path, how, ranks, processes):
    """It ends at once, by the signal, and leaves neither processes nor parts of files."""
    number = getattr(signal, f"SIG{how}")
    server = [EMULATE, models[1].executable(ranks), "--weights", models[1].checkpoint, "--serve"]
    server += ["--trace", tmp_path / "trace.json", "--metrics", tmp_path / "metrics.json"]
    if processes:
        job = Job(ranks, *server)
    else:
        job = Job(1, *server)
    job.ask("1,2,3")
    assert job.ranks[0].stdout.readline()
    for _ in range(20):
        job.ask('{"tokens": [1, 2, 3], "max_tokens": 60}')
    begin = time.monotonic()
    for process in job.ranks:
        os.kill(process.pid, number)
    for process in job.ranks:
        process.wait(30)
    assert time.monotonic() - begin < 5
    assert [process.returncode for process in job.ranks] == len(job.ranks) * [-number]
    assert errors_of(job.end(ends_all=False).stderr) == []
    assert list(tmp_path.iterdir()) == []


def test_full_disk(models):
    for option in ("--trace", "--metrics", "--logits"):
        done = run(EMULATE, *command_of(models[1], 2), "--generate", 2, option, "/dev/full")
        assert done.returncode == 3
        assert done.stderr == "error: /dev/full: writing failed: No space left on device\n"


def test_file_larger_than_allowed(models, tmp_path):
    limited = [
        Path("/bin/sh"),
        "-c",
        'ulimit -f 1 && exec "$@"',
        "sh",
        EMULATE,
        *command_of(models[1], 2),
    ]
    path = tmp_path / "trace.json"
    done = run(*limited, "--generate", 4, "--trace", path)
    assert done.returncode == 3
    assert done.stderr == f"error: {path}: writing failed: File too large\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("how", ["INT", "TERM", "HUP"])
def test_temporary_files_end_with_their_tool(models, tmp_path, how):
    """Also where a signal ends it."""
    number = getattr(signal, f"SIG{how}")
    layer = ROOT / "test/Pipelines/layer.mlir"
    compiling = [BIN / "tp-compile", models[1].ir, "--plan", "megatron", "--mesh", "tp=2"]
    compiling += ["--target", "cuda:emulated", "-o", tmp_path / "program"]
    running = [BIN / "tp-run", layer, "--target", "cuda", "--repeat", 1000000]
    for command in (running, compiling):
        folder = tmp_path / command[0].name
        folder.mkdir()
        process = subprocess.Popen(
            [str(part) for part in (EMULATE, *command)],
            env={**os.environ, "TMPDIR": str(folder)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        while process.poll() is None and not list(folder.iterdir()):
            time.sleep(0.001)
        process.send_signal(number)
        # A compiler may have been about to end.
        assert process.wait(60) in ((-number,) if command is running else (-number, 0))
        assert list(folder.iterdir()) == []
