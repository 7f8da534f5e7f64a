"""Executables with a process per rank: the same values, and an error that names who fails.

mpirun runs as root and with more processes than processors here, which it wants to be told.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from compiled import BIN, Model, need, rejected, run, succeed
from conftest import ROOT

from tp import tiny

FAULTS = BIN / "tprt_fault_program"
LIBRARY = ROOT / "build/lib/libtprt_mpi.so"
ENVIRONMENT = {
    **os.environ,
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
}
CHUNK = 8
PROMPT = [(7 * i + 3) % 97 for i in range(CHUNK + 3)]

if not shutil.which("mpirun"):
    pytest.skip("no mpirun on this machine", allow_module_level=True)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    need("tp-import", "tp-compile")
    folder = tmp_path_factory.mktemp("processes")
    checkpoint = tiny.make("gqa9", folder / "hf")
    return Model(checkpoint, folder, "--max-seq", 64, "--chunk", CHUNK)


def mpirun(ranks, *command, **options):
    """Runs a command as several processes."""
    return run(shutil.which("mpirun"), "-n", ranks, *command, **{"env": ENVIRONMENT, **options})


def generate(model, ranks, *arguments, launch=mpirun, plan="megatron"):
    tokens = ",".join(map(str, PROMPT))
    program = model.executable(ranks, plan)
    common = [program, "--weights", model.checkpoint, "--tokens", tokens, *arguments]
    result = launch(ranks, *common) if launch else run(*common)
    assert result.returncode == 0, result.stderr
    return result


@pytest.mark.parametrize(
    "ranks, plan", [(2, "megatron"), (3, "megatron"), (4, "megatron"), (3, "megatron-sp")]
)
def test_same_bits_as_threads(model, tmp_path, ranks, plan):
    found = []
    for launch in (None, mpirun):
        path = tmp_path / f"logits{len(found)}.npy"
        options = ["--generate", 6, "--check-collectives", "--check-finite", "--logits", path]
        result = generate(model, ranks, *options, launch=launch, plan=plan)
        found.append((result.stdout, np.load(path)))
    assert found[0][0] == found[1][0]
    assert np.array_equal(found[0][1], found[1][1])


def test_launch_says_what_ranks_are(model):
    def processes(*options):
        # Threads under mpirun: each process runs the whole program.
        return len(generate(model, 2, "--generate", 3, *options).stdout.splitlines())

    assert processes() == 1
    assert processes("--launch", "mpi") == 1
    assert processes("--launch", "threads") == 2


def test_sampling_and_serving(model):
    requests = (
        '1,2,3\n{"tokens": [5, 6], "temperature": 20, "seed": 7, "id": 1}\nbad\n{"x": 1}\n4\n'
    )
    common = [model.executable(3), "--weights", model.checkpoint, "--serve"]
    threads = run(*common, input=requests)
    processes = mpirun(3, *common, input=requests)
    assert processes.returncode == 0, processes.stderr
    assert processes.stdout == threads.stdout
    assert len(processes.stdout.splitlines()) == 5
    sampled = ["--temperature", 20, "--seed", 3, "--generate", 9]
    assert generate(model, 3, *sampled).stdout == generate(model, 3, *sampled, launch=None).stdout


def test_inputs_and_outputs_of_an_entry(tmp_path):
    for launch in (run, lambda *command: mpirun(3, *command)):
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        result = launch(FAULTS, "--entry", "run", "--input", "x=0.5", "--output", folder)
        assert result.returncode == 0, result.stderr
        # 20 rounds of 3 sums 1 + 2 + 3, the first and the last element of each.
        assert np.load(folder / "result0.npy") == 0.5 + 20 * 3 * 2 * 6


def test_reports_have_all_ranks(model, tmp_path):
    trace, metrics = tmp_path / "trace.json", tmp_path / "metrics.json"
    options = ["--generate", 4, "--stats", "--trace", trace, "--metrics", metrics]
    result = generate(model, 3, *options)
    calls = {"prefill": 2, "decode": len(result.stdout.split(",")) - 1}
    entries = model.explanation(3)["entries"]
    wanted = []
    for entry, count in calls.items():
        rows = entries[entry]["collectives"]
        wanted += count * [(f"{r['loc']}.{r['kind']}", r["bytes_per_rank"]) for r in rows]
    spans = [e for e in json.loads(trace.read_text())["traceEvents"] if e["ph"] == "X"]
    begins = []
    for rank in range(3):
        mine = [e for e in spans if e["tid"] == rank]
        collectives = [e for e in mine if e["cat"] == "collective"]
        assert [(e["name"], e["args"]["bytes"]) for e in collectives] == wanted
        begins.append([e["ts"] for e in mine if e["cat"] == "entry"])
    # One clock: no rank begins a call before another has ended the one before.
    for call in range(1, len(begins[0])):
        assert min(rank[call] for rank in begins) > max(rank[call - 1] for rank in begins)
    assert json.loads(metrics.read_text())["ranks"] == 3
    rows = [line.split() for line in result.stderr.splitlines() if line.startswith("decode")]
    totals = entries["decode"]["totals"]
    figures = [calls["decode"] * totals[key] for key in ("count", "bytes_per_rank")]
    assert [row[-2:] for row in rows[1:4]] == 3 * [list(map(str, figures))]


def test_help_and_description_come_once(model):
    program = model.executable(3)
    assert mpirun(3, program, "--help").stdout == run(program, "--help").stdout
    assert mpirun(2, program, "--describe").stdout == run(program, "--describe").stdout


# --- Bad input --------------------------------------------------------------


def test_bad_input_is_one_error(model, tmp_path):
    two, three = model.executable(2), model.executable(3)
    common = ["--weights", model.checkpoint, "--tokens", "1,2"]
    rejected(
        mpirun(2, three, *common), "the program's mesh has 3 ranks, it was started as 2 processes"
    )
    rejected(run(three, *common, "--launch", "mpi", env=ENVIRONMENT), "started as 1 process")
    rejected(mpirun(3, three, *common, "--bogus"), "unknown option or argument '--bogus'")
    rejected(run(three, *common, "--launch", "gpu"), "--launch")
    rejected(run(three, *common, "--rank-timeout", "-1"), "--rank-timeout")
    rejected(run(three, *common, "--rank-timeout", "nan"), "--rank-timeout")
    rejected(run(three, *common, "--start-timeout", "0"), "--start-timeout")
    rejected(run(three, *common, "--start-timeout", "1e300"), "--start-timeout")
    rejected(mpirun(3, three, "--weights", model.checkpoint, "--tokens", "97"), "token id 97")
    # Different plans, and a host that has not got the weights.
    other = model.executable(2, "replicated")
    both = mpirun(1, two, *common, ":", "-n", 1, other, *common)
    rejected(
        both,
        r"ranks run different programs: the manifest of rank 1 \(process \d+ on \S+\) has the hash "
        r"\w+, that of rank 0 \w+",
    )
    bare = ["--weights", tmp_path, "--tokens", "1"]
    rejected(mpirun(1, two, *common, ":", "-n", 1, two, *bare), r"rank 1 on \S+: .*safetensors")


def test_missing_library(model, tmp_path):
    common = ["--weights", model.checkpoint, "--tokens", "1,2"]
    program = model.executable(2)
    missing = {**ENVIRONMENT, "TPRT_MPI": "/nowhere/libtprt_mpi.so"}
    result = mpirun(2, program, *common, env=missing)
    rejected(result, "MPI cannot be loaded: /nowhere/libtprt_mpi.so: cannot open", status=3)
    assert "--launch threads" in result.stderr
    strange = {**ENVIRONMENT, "TPRT_MPI": "libm.so.6"}
    result = mpirun(2, program, *common, env=strange)
    rejected(
        result, "libm.so.6 has no function .*, so it is not the runtime's MPI library", status=3
    )
    (tmp_path / "old.c").write_text(
        "static const int table[64] = {77};\n"
        "const void *tprt_transport_get(void) { return table; }\n"
    )
    succeed(Path("/usr/bin/clang-22"), "-shared", tmp_path / "old.c", "-o", tmp_path / "old.so")
    old = {**ENVIRONMENT, "TPRT_MPI": str(tmp_path / "old.so")}
    rejected(
        mpirun(2, program, *common, env=old),
        r"old.so has version 77 of the runtime's interface to MPI, the executable has \d",
        status=3,
    )
    # One process needs none.
    assert mpirun(1, model.executable(1), *common, env=missing).returncode == 0
    # Another MPI than the launcher's: every process is alone.
    apart = {**os.environ, "SLURM_STEP_ID": "0", "SLURM_STEP_NUM_TASKS": "2", "SLURM_PROCID": "0"}
    result = run(program, *common, env=apart)
    rejected(result, "srun has started 2 processes, MPI knows of 1", status=3)


SILENT = f"""
import ctypes, sys, time
table = ctypes.CDLL({str(LIBRARY)!r}).tprt_transport_get
table.restype = ctypes.POINTER(ctypes.c_void_p)
start = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(table()[2])
numbers = (ctypes.c_int * 2)()
if sys.argv[1] == "joins":
    start(ctypes.addressof(numbers), ctypes.addressof(numbers) + 4)
time.sleep(60)
"""


@pytest.mark.parametrize(
    "how, message",
    [
        ("joins", "rank 1 did not answer rank 0 within 2 s of the start"),
        (
            "stays",
            "MPI has not started within 2 s: not all processes take part, or a host does not answer",
        ),
    ],
)
def test_process_that_does_not_answer(model, how, message):
    common = ["--weights", model.checkpoint, "--tokens", "1", "--start-timeout", 2]
    silent = [sys.executable, "-c", SILENT, how]
    result = mpirun(1, model.executable(2), *common, ":", "-n", 1, *silent)
    rejected(result, message, status=3)


FAILING = ROOT / "build/lib/libtprt_failing_calls.so"


@pytest.mark.parametrize(
    "call, message",
    [
        ("listen", "cannot listen for other ranks: Address already in use"),
        ("pipe2", "no pipe can be made: the limit of open files is too low"),
    ],
)
def test_start_without_what_it_needs(call, message):
    options = ["--entry", "run", "--input", "x=1"]
    failing = ["env", f"LD_PRELOAD={FAILING}", f"FAILS={call}"]
    result = run(shutil.which("mpirun"), "-n", 3, *failing, FAULTS, *options, env=ENVIRONMENT)
    assert result.returncode
    assert message in result.stderr


# --- Ranks that fail --------------------------------------------------------

ENDED = "its process has ended"
# What the program's rank does, and what is said of it; inside a collective where
# the moment is random.
SILENCE = "it has not answered for 1 s"
FAILURES = [
    ("0:3:before:kill", ENDED),
    ("2:7:inside:kill", ENDED),
    ("1:3:before:stop", SILENCE),
    ("2:3:before:throw", "failed: the disk is on fire"),
    ("1:3:before:divide", "an integer is divided by zero"),
    *(
        pytest.param(*case, marks=pytest.mark.long)
        for case in [
            ("1:0:before:kill", ENDED),
            ("0:2:inside:kill", ENDED),
            ("1:3:before:segv", ENDED),
            ("2:19:before:exit", ENDED),
            ("0:5:inside:stop", SILENCE),
            ("0:3:before:throw", "failed: the disk is on fire"),
            ("1:3:before:status", "failed in op0 at model.mlir:1:1: index 99 is outside"),
        ]
    ),
]


def errors_of(text):
    return [line for line in text.splitlines() if "error:" in line]


@pytest.mark.parametrize("fault, message", FAILURES)
def test_rank_that_fails_is_named(tmp_path, fault, message):
    environment = {**ENVIRONMENT, "FAULT": fault}
    options = ["--entry", "run", "--input", "x=1", "--output", tmp_path, "--rank-timeout", 1]
    begin = time.monotonic()
    result = mpirun(3, FAULTS, *options, env=environment)
    # Starting and ending by mpirun included; nobody waits for whom is lost.
    assert time.monotonic() - begin < 30
    assert result.returncode
    errors = errors_of(result.stderr)
    assert len(errors) == 1, result.stderr
    assert re.match(f"error: rank {fault[0]} ", errors[0]) and message in errors[0]
    assert not list(tmp_path.iterdir())


def test_all_ranks_fault_alike(tmp_path):
    """A division by zero on every rank is said once, for the lowest that came to it."""
    environment = {**ENVIRONMENT, "FAULT": "-1:3:before:divide"}
    result = mpirun(3, FAULTS, "--entry", "run", "--input", "x=1", env=environment)
    rejected(result, r"^error: (rank \d on \S+: )?an integer is divided by zero", status=3)


def test_slow_rank_is_waited_for():
    environment = {**ENVIRONMENT, "FAULT": "1:3:before:compute"}
    options = ["--entry", "run", "--input", "x=1", "--rank-timeout", 1]
    result = mpirun(3, FAULTS, *options, env=environment)
    assert result.returncode == 0, result.stderr


class Job:
    """A server of three processes under mpirun."""

    def __init__(self, model, *options):
        command = ["mpirun", "-n", "3", model.executable(3), "--weights", model.checkpoint]
        self.process = subprocess.Popen(
            [str(part) for part in [*command, "--serve", *options]],
            env=ENVIRONMENT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.ask("1,2,3")
        assert self.process.stdout.readline()
        self.ranks = self._ranks()
        assert sorted(self.ranks) == [0, 1, 2]

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def _ranks(self):
        """Process ids by rank: mpirun's children."""
        ranks = {}
        for path in Path("/proc").glob("[0-9]*"):
            try:
                parent = int((path / "stat").read_text().rpartition(")")[2].split()[1])
                variables = (path / "environ").read_text().split("\0")
            except OSError:  # it has ended
                continue
            for variable in variables if parent == self.process.pid else ():
                if variable.startswith("OMPI_COMM_WORLD_RANK="):
                    ranks[int(variable.split("=")[1])] = int(path.name)
        return ranks

    def end(self):
        """Its error lines, after its end."""
        try:
            _, text = self.process.communicate(timeout=60)
        finally:
            self.process.kill()
        assert not [rank for rank, pid in self.ranks.items() if is_running(pid)]
        return errors_of(text)


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


SERVERS = [(rank, how, busy) for busy in (0, 1) for rank, how in ((0, "KILL"), (1, "STOP"))]
SERVERS += [
    pytest.param(rank, how, busy, marks=pytest.mark.long)
    for busy in (0, 1)
    for rank, how in ((2, "KILL"), (0, "STOP"))
]


@pytest.mark.parametrize("rank, how, busy", SERVERS)
def test_server_that_loses_a_rank(model, rank, how, busy):
    job = Job(model, "--rank-timeout", 1)
    if busy:
        for _ in range(300):
            job.ask('{"tokens": [1, 2, 3], "max_tokens": 60}')
    os.kill(job.ranks[rank], getattr(signal, f"SIG{how}"))
    errors = job.end()
    assert len(errors) == 1
    said = ENDED if how == "KILL" else SILENCE
    assert f"rank {rank} (process {job.ranks[rank]} on " in errors[0] and said in errors[0]


def test_rank_that_is_asked_to_end(model):
    """mpirun, which ends all as soon as one has ended, is stopped meanwhile."""
    job = Job(model)
    job.process.send_signal(signal.SIGSTOP)
    os.kill(job.ranks[2], signal.SIGTERM)
    deadline = time.monotonic() + 20
    while any(map(is_running, job.ranks.values())) and time.monotonic() < deadline:
        time.sleep(0.05)
    job.process.send_signal(signal.SIGCONT)
    (error,) = job.end()
    place = re.escape(f"rank 2 (process {job.ranks[2]} on ")
    said = re.escape("was lost: its process was asked to end (signal 15)")
    assert re.search(place + r"\S+\) " + said, error)


def test_job_that_is_ended_says_nothing(model):
    job = Job(model)
    job.process.terminate()
    assert job.end() == []


# --- Several hosts ----------------------------------------------------------


class Hosts:
    """Two network namespaces joined by a link of limited bandwidth, as hosts.

    Each has its own name and its own shared memory, so that MPI takes them for two.
    """

    NAMES = ("tp-host-a", "tp-host-b")
    ADDRESSES = ("10.213.7.1", "10.213.7.2")

    def __init__(self, folder):
        self.folder = folder
        self.remove()
        for name in self.NAMES:
            self.ip("netns", "add", name)
        a, b = self.NAMES
        self.ip(
            "link", "add", "eth0", "netns", a, "type", "veth", "peer", "name", "eth0", "netns", b
        )
        for name, address in zip(self.NAMES, self.ADDRESSES):
            self.ip("-n", name, "addr", "add", f"{address}/24", "dev", "eth0")
            for device in ("lo", "eth0"):
                self.ip("-n", name, "link", "set", device, "up")
            limit = "tc qdisc add dev eth0 root tbf rate 400mbit burst 64kb latency 50ms"
            self.ip("netns", "exec", name, *limit.split())
        # enter NAME COMMAND...: on that host; agent: what mpirun takes for ssh.
        self.script(
            "enter",
            "name=$1; shift; export TMPDIR={folder}/$name; mkdir -p $TMPDIR",
            "exec ip netns exec $name unshare --uts --mount sh -c \\",
            '\'hostname $0 && mount -t tmpfs tmpfs /dev/shm && exec "$@"\' $name "$@"',
        )
        self.script("agent", f'shift; exec {{folder}}/enter {b} sh -c "$*"')

    def script(self, name, *lines):
        path = self.folder / name
        path.write_text(
            "#!/bin/sh\n" + "\n".join(lines).replace("{folder}", str(self.folder)) + "\n"
        )
        path.chmod(0o755)

    def ip(self, *arguments):
        subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True)

    def mpirun(self, ranks, *command, **options):
        """Starts a command; up to two ranks come to the first host."""
        a, b = self.ADDRESSES
        network = "10.213.7.0/24"
        words = [self.folder / "enter", self.NAMES[0], "mpirun", "-n", ranks, "-H", f"{a}:2,{b}:2"]
        words += ["--mca", "plm_rsh_agent", self.folder / "agent", "-x", "FAULT"]
        words += ["--mca", "btl_tcp_if_include", network, "--mca", "oob_tcp_if_include", network]
        return subprocess.Popen(
            [str(word) for word in [*words, *command]],
            env={"FAULT": "", **ENVIRONMENT, **options},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def end(self, job):
        """What a job has printed on its streams when it has ended."""
        try:
            return job.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            self.end_processes()
            raise

    def disconnect(self):
        self.ip("-n", self.NAMES[1], "link", "set", "eth0", "down")

    def end_processes(self):
        """Ends what a launcher has left there."""
        for name in self.NAMES:
            pids = subprocess.run(["ip", "netns", "pids", name], capture_output=True, text=True)
            for pid in pids.stdout.split():
                os.kill(int(pid), signal.SIGKILL)

    def remove(self):
        self.end_processes()
        for name in self.NAMES:
            subprocess.run(["ip", "netns", "del", name], capture_output=True)


@pytest.fixture(scope="module")
def hosts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hosts")
    made = None
    try:
        made = Hosts(folder)
        subprocess.run([folder / "enter", Hosts.NAMES[1], "true"], check=True)
    except (OSError, subprocess.CalledProcessError) as problem:
        pytest.skip(f"no rights to make network namespaces here: {problem}")
    yield made
    made.remove()


def test_two_hosts(model, hosts):
    common = ["--weights", model.checkpoint, "--generate", 6, "--check-collectives"]
    common += ["--tokens", ",".join(map(str, PROMPT))]
    job = hosts.mpirun(4, model.executable(4), *common)
    text, problem = hosts.end(job)
    assert job.returncode == 0, problem
    assert text == succeed(model.executable(4), *common)


@pytest.mark.parametrize(
    "fault, name, message",
    [
        ("2:1:inside:kill", r"rank 2 \(process \d+ on tp-host-b\)", ENDED),
        pytest.param(
            "0:1:before:kill", r"rank 0 \(process \d+ on tp-host-a\)", ENDED, marks=pytest.mark.long
        ),
        pytest.param(
            "2:1:before:stop",
            r"rank 2 \(process \d+ on tp-host-b\)",
            SILENCE,
            marks=pytest.mark.long,
        ),
        pytest.param("2:1:before:throw", "rank 2", "the disk is on fire", marks=pytest.mark.long),
    ],
)
def test_rank_of_another_host_fails(hosts, fault, name, message):
    options = ["--entry", "run", "--input", "x=1", "--rank-timeout", 1]
    _, text = hosts.end(hosts.mpirun(3, FAULTS, *options, FAULT=fault))
    errors = errors_of(text)
    assert len(errors) == 1, text
    assert re.match(f"error: {name}", errors[0]) and message in errors[0]


def test_host_that_does_not_answer(model, hosts):
    """The other host is cut off; mpirun itself waits for it, its processes do not."""
    common = ["--weights", model.checkpoint, "--serve", "--rank-timeout", 1]
    job = hosts.mpirun(4, model.executable(4), *common)
    try:
        job.stdin.write("1,2,3\n")
        job.stdin.flush()
        assert job.stdout.readline()
        hosts.disconnect()
        line = next(line for line in job.stderr if "error:" in line)
    finally:
        job.kill()
        hosts.end_processes()
        job.communicate()
    assert re.match(r"error: rank 2 \(process \d+ on tp-host-b\) was lost: it has not", line), line
