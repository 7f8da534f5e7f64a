"""Processes that meet by TCP, as torchrun starts them: on processors, and with a GPU each."""

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from compiled import BIN, rejected, run
from conftest import ROOT
from jobs import EMULATE, Job, command_of, environment, errors_of, free_port, models, start

FAULTS = BIN / "tprt_fault_program"
ENDED = "its process has ended"
SILENCE = "it has not answered for 1 s"
models = models  # the fixture


# --- Values -----------------------------------------------------------------


@pytest.mark.parametrize("ranks", [1, 2, 3, 4])
def test_a_gpu_each_gives_the_tokens_of_processors(models, tmp_path, ranks):
    cpu, gpu = models
    options = ["--generate", 2, "--check-collectives", "--check-finite"]
    expected = run(*command_of(cpu, ranks), *options)
    path = tmp_path / "logits.npy"
    found = start(ranks, EMULATE, *command_of(gpu, ranks), *options, "--logits", path)
    assert found.returncode == 0, found.stderr
    assert found.stdout == expected.stdout
    if ranks != 3:
        return
    sampling = ["--generate", 4, "--temperature", 3, "--top-k", 30, "--seed", 4]
    expected = run(*command_of(cpu, ranks), *sampling)
    found = start(ranks, EMULATE, *command_of(gpu, ranks), *sampling)
    assert found.stdout == expected.stdout, found.stderr
    # One process has all ranks as threads, and the same bits.
    threads = run(EMULATE, *command_of(gpu, ranks), *options, "--logits", tmp_path / "threads.npy")
    assert threads.returncode == 0, threads.stderr
    assert np.array_equal(np.load(path), np.load(tmp_path / "threads.npy"))


def test_mpirun_starts_a_process_per_gpu(models):
    test_processes = pytest.importorskip("test_processes")
    cpu, gpu = models
    # From the second of these tokens on, steps are graphs.
    expected = run(*command_of(cpu, 2), "--generate", 5)
    found = test_processes.mpirun(2, EMULATE, *command_of(gpu, 2), "--generate", 5)
    assert found.stdout == expected.stdout, found.stderr


def test_srun_starts_a_process_per_gpu(models):
    if not shutil.which("srun") or subprocess.run(["sinfo"], capture_output=True).returncode:
        pytest.skip("no Slurm on this machine")
    cpu, gpu = models
    expected = run(*command_of(cpu, 2), "--generate", 5)
    where = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port())}
    srun = [Path(shutil.which("srun")), "-n", 2, EMULATE, *command_of(gpu, 2), "--generate", 5]
    found = run(*srun, env={**os.environ, **where})
    assert (found.stdout, found.returncode) == (expected.stdout, 0), found.stderr


def test_inputs_results_and_states_of_gpus(tmp_path):
    """What goes to and comes from the processes of other ranks lies on their GPUs."""
    program = tmp_path / "f.mlir"
    program.write_text("""
func.func @f(%x: tensor<5x7xf32>, %s: tensor<5x7xf32> {tp.kind = "state"})
    -> (tensor<5x7xf32>, tensor<5x7xf32> {tp.alias = 1 : i64}) {
  %sum = linalg.add ins(%x, %s : tensor<5x7xf32>, tensor<5x7xf32>) outs(%x : tensor<5x7xf32>)
    -> tensor<5x7xf32>
  return %sum, %sum : tensor<5x7xf32>, tensor<5x7xf32>
}
""")
    plan = tmp_path / "plan.json"
    plan.write_text('{"mesh": {"tp": 3}, "shard": {"f.arg0": "[tp, _]", "f.arg1": "[_, tp]"}}')
    values = np.arange(35, dtype=np.float32).reshape(5, 7)
    np.save(tmp_path / "x.npy", values)
    options = ["--plan", plan, "--target", "cuda:emulated", "-o", tmp_path / "f"]
    made = run("tp-compile", program, *options)
    assert made.returncode == 0, made.stderr
    call = ["--entry", "f", "--input", f"0={tmp_path}/x.npy", "--output", tmp_path / "out"]
    done = start(3, EMULATE, tmp_path / "f", *call)
    assert done.returncode == 0, done.stderr
    for name in ("result0", "state0"):
        assert np.array_equal(np.load(tmp_path / "out" / f"{name}.npy"), values)


@pytest.mark.parametrize(
    "filter", ["Failures.*:Processes.Messages*", pytest.param("*", marks=pytest.mark.long)]
)
def test_conformance(filter):
    """The runtime's suite of collectives and failures, through rank 0."""
    suite = BIN / "tprt_process_tests"
    if not suite.exists():
        pytest.skip("no MPI: the suite is not built")
    done = start(8, suite, f"--gtest_filter={filter}")
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"\[  PASSED  \] \d\d+ tests", done.stdout), done.stdout


# --- Ranks that fail --------------------------------------------------------


@pytest.mark.parametrize(
    "fault, message",
    [
        ("0:3:before:kill", ENDED),
        ("2:7:inside:kill", ENDED),
        ("1:3:before:stop", SILENCE),
        ("0:5:before:stop", SILENCE),
        ("2:3:before:throw", "failed: the disk is on fire"),
        ("1:3:before:divide", "an integer is divided by zero"),
    ],
)
def test_rank_that_fails_is_named_once(tmp_path, fault, message):
    """Also where nobody ends the others: rank 0 may be the one that is lost."""
    options = ["--entry", "run", "--input", "x=1", "--output", tmp_path, "--rank-timeout", 1]
    job = Job(3, FAULTS, *options, of=lambda rank: {"FAULT": fault})
    stopped = job.ranks[int(fault[0])] if fault.endswith("stop") else None
    others = [process for process in job.ranks if process is not stopped]
    for process in others:
        process.wait(60)
    if stopped:
        stopped.kill()
    result = job.end(ends_all=False)
    errors = errors_of(result.stderr)
    assert len(errors) == 1, result.stderr
    assert re.match(f"error: rank {fault[0]} ", errors[0]) and message in errors[0]
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "rank, how",
    [
        (1, "KILL"),
        *(pytest.param(*case, marks=pytest.mark.long) for case in ((0, "KILL"), (2, "STOP"))),
    ],
)
def test_gpu_server_that_loses_a_rank(models, rank, how):
    """All others end, in the middle of a step, within the time that the launcher would give."""
    server = [models[1].executable(3), "--weights", models[1].checkpoint, "--serve"]
    job = Job(3, EMULATE, *server, "--rank-timeout", 1)
    job.ask("1,2,3")
    assert job.ranks[0].stdout.readline()
    for _ in range(40):
        job.ask('{"tokens": [1, 2, 3], "max_tokens": 60}')
    lost = job.ranks[rank]
    os.kill(lost.pid, getattr(signal, f"SIG{how}"))
    begin = time.monotonic()
    for process in job.ranks:
        if process is not lost:
            process.wait(60)
            assert process.returncode == 3
    assert time.monotonic() - begin < 5 + (how == "STOP")
    lost.kill()
    errors = errors_of(job.end(ends_all=False).stderr)
    assert len(errors) == 1, errors
    said = ENDED if how == "KILL" else SILENCE
    assert f"rank {rank} (process {lost.pid} on " in errors[0] and said in errors[0]


# --- Meeting ----------------------------------------------------------------


def call_of(*options):
    return [FAULTS, "--entry", "run", "--input", "x=1", *options]


def test_strangers_are_no_ranks():
    """Who connects and says nothing, or nonsense, holds up nobody."""
    port = free_port()
    job = None
    strangers = []
    try:
        first = subprocess.Popen(
            [str(part) for part in call_of()],
            env=environment(0, 3, port),
            stderr=subprocess.PIPE,
            text=True,
        )
        for said in (b"", b"GET / HTTP/1.1\r\n\r\n" + b"x" * 400):
            for _ in range(200):
                with contextlib.suppress(OSError):
                    strangers.append(socket.create_connection(("127.0.0.1", port)))
                    break
                time.sleep(0.05)
            strangers[-1].sendall(said)
        others = [
            subprocess.Popen([str(part) for part in call_of()], env=environment(rank, 3, port))
            for rank in (1, 2)
        ]
        assert [other.wait(60) for other in others] == [0, 0]
        assert first.wait(60) == 0, first.stderr.read()
    finally:
        for stranger in strangers:
            stranger.close()


def test_port_that_is_taken():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        done = start(2, *call_of("--start-timeout", 5), of=lambda rank: {"MASTER_PORT": port})
    rejected(
        done,
        f"rank 0 cannot wait for the other ranks at 127.0.0.1 port {port}: Address already in use",
        status=3,
    )
    assert "note: MASTER_PORT chooses another port, for all ranks" in done.stderr


def test_all_that_torchrun_says(models):
    """Its variables as they are; it serves its workers itself at MASTER_PORT, where it says so."""
    cpu, gpu = models
    expected = run(*command_of(cpu, 3), "--generate", 2)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def said(rank):
            return {
                **{"GROUP_RANK": 0, "GROUP_WORLD_SIZE": 1, "LOCAL_WORLD_SIZE": 3},
                **{"ROLE_NAME": "default", "ROLE_RANK": rank, "ROLE_WORLD_SIZE": 3},
                "MASTER_PORT": server.getsockname()[1],
                "OMP_NUM_THREADS": 1,
                "TORCH_NCCL_ASYNC_ERROR_HANDLING": 1,
                "TORCHELASTIC_ERROR_FILE": f"/tmp/torchelastic_x/none_y/attempt_0/{rank}/error.json",
                "TORCHELASTIC_MAX_RESTARTS": 0,
                "TORCHELASTIC_RESTART_COUNT": 0,
                "TORCHELASTIC_RUN_ID": "none",
                "TORCHELASTIC_USE_AGENT_STORE": "True",
                "TPRT_PORT": "",
            }

        command = [EMULATE, *command_of(gpu, 3), "--generate", 2, "--start-timeout", 20]
        found = start(3, *command, of=said)
    assert (found.stdout, found.returncode) == (expected.stdout, 0), found.stderr


def test_another_token():
    done = start(
        3, *call_of("--start-timeout", 20), of=lambda rank: {"TPRT_TOKEN": f"job{rank//2}"}
    )
    rejected(done, r"rank 2 was sent away by rank 0 at 127.0.0.1 port \d+: it has another token")
    assert "TPRT_TOKEN must be the same for all ranks" in done.stderr


def test_token_that_is_too_long():
    done = start(2, *call_of("--start-timeout", 5), of=lambda rank: {"TPRT_TOKEN": 257 * "x"})
    rejected(done, r"the token has 257 bytes, at most 256 are allowed \(TPRT_TOKEN\)")


def alone(rank, ranks, *options, **variables):
    """One process of a job whose others do not come."""
    return run(*call_of(*options), env=environment(rank, ranks, free_port(), **variables))


def test_ranks_that_do_not_come_are_named():
    done = alone(0, 4, "--start-timeout", 0.3)
    rejected(
        done,
        r"ranks 1, 2, 3 of 4 did not come to rank 0 at 127.0.0.1 port \d+ within 0.3 s",
        status=3,
    )
    assert "note: --start-timeout S waits longer" in done.stderr
    # The others do without words.
    port = free_port()
    some = start(
        2,
        *call_of("--start-timeout", 2),
        of=lambda rank: {"WORLD_SIZE": 3, "MASTER_PORT": port},
    )
    rejected(some, r"rank 2 of 3 did not come to rank 0", status=3)


def test_rank_zero_that_is_not_there():
    done = alone(1, 2, "--start-timeout", 0.3)
    rejected(
        done,
        r"rank 1 cannot reach rank 0 at 127.0.0.1 port \d+ within 0.3 s: Connection refused",
        status=3,
    )
    done = alone(1, 2, "--start-timeout", 0.3, MASTER_ADDR="no.such.host.invalid")
    rejected(done, "rank 1 cannot reach rank 0 at no.such.host.invalid port", status=3)


def test_someone_else_at_the_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        process = subprocess.Popen(
            [str(part) for part in call_of()],
            env=environment(1, 2, server.getsockname()[1]),
            stderr=subprocess.PIPE,
            text=True,
        )
        connection, _ = server.accept()
        connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        error = process.communicate(timeout=60)[1]
        connection.close()
    assert process.returncode == 3
    assert re.search(
        r"error: what rank 1 found at 127.0.0.1 port \d+ is not rank 0 of a program", error
    ), error


PROCESS = r"process \d+ on \S+"
OTHER_JOB = "note: another job may use the same port: MASTER_PORT chooses one\n"


def test_two_jobs_at_one_port():
    """Both are errors that name the other's processes, also where they say the same token."""
    port = free_port()
    options = call_of("--start-timeout", 20)
    first = [
        subprocess.Popen(
            [str(part) for part in options], env=environment(rank, 3, port), stderr=subprocess.PIPE
        )
        for rank in (0, 1)
    ]
    try:
        time.sleep(0.5)  # the first two have met
        second = [run(*options, env=environment(rank, 3, port)) for rank in (0, 1)]
        rejected(
            second[0],
            f"rank 0 cannot wait for the other ranks at 127.0.0.1 port {port}: Address already in use",
            status=3,
        )
        rejected(
            second[1],
            rf"there are two of rank 1: {PROCESS} came to rank 0 at 127.0.0.1 port {port} after "
            rf"process {first[1].pid} on \S+$",
        )
        assert OTHER_JOB in second[1].stderr
        # Who was sent away disturbed nobody.
        assert run(*options, env=environment(2, 3, port)).returncode == 0
        assert [process.wait(60) for process in first] == [0, 0]
    finally:
        for process in first:
            process.kill()
            process.stderr.close()


def test_numbers_that_do_not_fit():
    def other(rank):
        return {"WORLD_SIZE": 4} if rank == 1 else {}

    done = start(3, *call_of("--start-timeout", 20), of=other)
    rejected(
        done,
        rf"rank 1 of 4 \({PROCESS}\) was sent away by rank 0 \({PROCESS}\) at \S+ port \d+, which "
        "waits for 3 ranks$",
    )
    assert OTHER_JOB in done.stderr
    done = start(3, *call_of("--start-timeout", 20), of=lambda rank: {"RANK": min(rank, 1)})
    rejected(
        done,
        rf"there are two of rank 1: {PROCESS} came to rank 0 at \S+ port \d+ after {PROCESS}$",
    )
    assert "note: RANK is another number in each process of a job\n" in done.stderr
    assert OTHER_JOB in done.stderr
    rejected(
        alone(0, 2, MASTER_PORT="http"),
        "MASTER_PORT is 'http', expected a whole number from 1 to 65535$",
    )
    rejected(alone(7, 3), "rank 7 of 3 processes is not one of them")
    bare = {key: value for key, value in os.environ.items() if not key.startswith("MASTER")}
    done = run(*call_of(), env={**bare, "RANK": "0", "WORLD_SIZE": "3"})
    rejected(done, "MASTER_ADDR is not set: processes that meet by TCP need the host of rank 0")
    done = run(*call_of("--launch", "tcp"), env=bare)
    rejected(
        done,
        "WORLD_SIZE is not set: processes that meet by TCP need their number, how many there are, "
        "and where rank 0 waits",
    )
    done = start(2, *call_of())
    rejected(done, "the program's mesh has 3 ranks, it was started as 2 processes")


NUMBERS = {
    "RANK": "0 to 1048575",
    "WORLD_SIZE": "1 to 1048576",
    "LOCAL_RANK": "0 to 1048575",
    "MASTER_PORT": "1 to 65535",
    "TPRT_PORT": "1 to 65535",
    "OMPI_COMM_WORLD_RANK": "0 to 1048575",
    "OMPI_COMM_WORLD_SIZE": "0 to 1048576",
    "OMPI_COMM_WORLD_LOCAL_RANK": "0 to 1048575",
    "PMI_RANK": "0 to 1048575",
    "PMI_SIZE": "0 to 1048576",
    "PMIX_RANK": "0 to 1048575",
    "MPI_LOCALRANKID": "0 to 1048575",
    "SLURM_PROCID": "0 to 1048575",
    "SLURM_STEP_NUM_TASKS": "0 to 1048576",
    "SLURM_LOCALID": "0 to 1048575",
}


@pytest.mark.parametrize("variable", NUMBERS)
def test_variables_that_are_no_numbers(variable):
    """Of each launcher, all are whole numbers, in their range."""
    said = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": free_port()}
    if variable in ("RANK", "WORLD_SIZE", "LOCAL_RANK", "MASTER_PORT", "TPRT_PORT"):
        said.update(RANK=0, WORLD_SIZE=2, LOCAL_RANK=0)
    elif variable.startswith("OMPI"):
        said.update(OMPI_COMM_WORLD_RANK=0, OMPI_COMM_WORLD_SIZE=2)
    elif variable.startswith("SLURM"):
        said.update(SLURM_STEP_ID=0, SLURM_PROCID=0, SLURM_STEP_NUM_TASKS=2)
    for value in ("x", "1x", "0x1", "-1", "1.5", " 1", "99999999999", "10000000"):
        variables = {**said, variable: value}
        done = run(*call_of(), env={**os.environ, **{k: str(v) for k, v in variables.items()}})
        rejected(
            done,
            f"^error: {variable} is '{value}', expected a whole number from {NUMBERS[variable]}$",
        )
    # What nobody asks for is not read.
    done = run(*call_of("--launch", "threads"), env={**os.environ, variable: "x"})
    assert done.returncode == 0, done.stderr


def test_another_number_of_processes(models):
    one = [EMULATE, *command_of(models[1], 1), "--start-timeout", 20]
    done = start(2, *one)
    rejected(done, "^error: the program's mesh has 1 rank, it was started as 2 processes$")
    assert (
        "note: start as many processes as it has ranks, or one alone: ranks are then its threads\n"
        in done.stderr
    )


# --- GPUs -------------------------------------------------------------------


def test_ranks_and_gpus(models):
    command = [EMULATE, *command_of(models[1], 3)]
    done = start(3, *command, of=lambda rank: {"LOCAL_RANK": rank % 2})
    rejected(
        done, r"ranks 0 and 2 have the same GPU \(emulated device\), each needs one of its own"
    )
    assert "--virtual-ranks runs several ranks on one GPU" in done.stderr
    done = start(3, *command, of=lambda rank: {"TP_EMULATED_DEVICES": 2})
    rejected(
        done,
        "rank 2 is number 3 of its host's ranks, each with a GPU of its own, and there are 2",
    )
    # Each sees one, which is the same.
    done = start(3, *command, of=lambda rank: {"TP_EMULATED_DEVICES": 1})
    rejected(done, r"ranks 0 and 1 have the same GPU")


@pytest.mark.parametrize("library", ["CUDA", "NCCL"])
def test_rank_without_a_library(models, library):
    def missing(rank):
        libraries = {name: ROOT / "build/lib/emulated" / file for name, file in FILES.items()}
        return {**libraries, **({f"TPRT_{library}": "/none"} if rank == 1 else {})}

    done = start(2, *command_of(models[1], 2), of=missing)
    rejected(done, r"rank 1 on \S+: (the CUDA driver|NCCL) is not found \(/none", status=3)


FILES = {
    "TPRT_CUDA": "libcuda.so.1",
    "TPRT_NCCL": "libnccl.so.2",
    "TPRT_CUBLASLT": "libcublasLt.so.13",
}


def test_rank_that_does_not_start(models):
    """One whose GPU has no memory ends all, none by a signal."""
    gpu = models[1]
    memory = {1: {"TP_EMULATED_MEBIBYTES": 0}}
    job = Job(3, EMULATE, *command_of(gpu, 3), of=lambda rank: memory.get(rank, {}))
    job.end(ends_all=False)
    assert [process.returncode for process in job.ranks] == [3, 3, 3]


def test_rank_that_is_lost_while_nccl_joins(models):
    """NCCL does not bring one forward, and the others wait; when its process ends, all do."""
    stalled = {"TP_EMULATED_STALLED_RANK": 1}
    job = Job(3, EMULATE, *command_of(models[1], 3), of=lambda rank: stalled)
    for process in job.ranks:
        while "libtp_emulated" not in Path(f"/proc/{process.pid}/maps").read_text():
            time.sleep(0.01)
    lost = job.ranks[1]
    os.kill(lost.pid, signal.SIGKILL)
    for process in job.ranks:
        process.wait(60)
    errors = errors_of(job.end(ends_all=False).stderr)
    assert len(errors) == 1, errors
    assert f"rank 1 (process {lost.pid} on " in errors[0] and ENDED in errors[0]
    assert [job.ranks[rank].returncode for rank in (0, 2)] == [3, 3]


# --- Several ranks on one GPU -----------------------------------------------


@pytest.mark.parametrize("ranks", [2, 3])
def test_virtual_ranks(models, ranks, tmp_path):
    """All on one GPU, where there is no other, and without NCCL; what a trace has took time."""
    cpu, gpu = models
    options = ["--generate", 2, "--check-collectives"]
    expected = run(*command_of(cpu, ranks), *options)
    one = {**os.environ, "TP_EMULATED_DEVICES": "1"}
    options += ["--virtual-ranks", ranks, "--trace", tmp_path / "trace.json"]
    found = run(EMULATE, *command_of(gpu, ranks), *options, env=one)
    assert found.returncode == 0, found.stderr
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    assert min(event["dur"] for event in events if event["ph"] == "X") >= 0
    assert found.stdout == expected.stdout
    assert expected.returncode == 0


def test_cases_on_virtual_ranks():
    cases = ROOT / "test/Integration/Cases/check.py"
    options = ["--with=--target cuda --virtual-ranks 4", "--only", "08,15,21,24"]
    done = run(EMULATE, sys.executable, cases, "--tp-run", BIN / "tp-run", *options)
    assert done.returncode == 0, done.stdout + done.stderr


def test_virtual_ranks_that_do_not_fit(models):
    cpu, gpu = models
    rejected(
        run(EMULATE, *command_of(gpu, 3), "--virtual-ranks", 2),
        "--virtual-ranks 2: the program's mesh has 3 ranks",
    )
    rejected(
        run(*command_of(cpu, 3), "--virtual-ranks", 3),
        "--virtual-ranks puts several ranks on one GPU, and the program is for processors, which "
        "all ranks share anyway",
    )
    rejected(
        start(3, EMULATE, *command_of(gpu, 3), "--virtual-ranks", 3),
        "--virtual-ranks puts all ranks on one GPU of one process: start it without a launcher or "
        "with --launch threads",
    )
    rejected(
        run(*command_of(gpu, 3), "--virtual-ranks", 0),
        "--virtual-ranks must be a whole number from 1 to 2147483647, found '0'",
    )
    nothing = {**os.environ, "TP_EMULATED_DEVICES": "0"}
    rejected(
        run(EMULATE, *command_of(gpu, 3), "--virtual-ranks", 3, env=nothing),
        "error: the CUDA driver does not start: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is "
        "detected$",
        status=3,
    )
    layer = ROOT / "test/Pipelines/layer.mlir"
    rejected(
        run("tp-run", layer, "--virtual-ranks", 2),
        "--virtual-ranks puts all ranks on one GPU, give --target cuda",
    )
