"""Processes that are one program, as torchrun starts them, and the models that they run.

The GPUs are emulated. `start` is what torchrun does: the variables, and the end of all when one
fails.
"""

import contextlib
import os
import socket
import subprocess
import time

import pytest
from compiled import Model, need
from conftest import ROOT

from tp import tiny

EMULATE = ROOT / "tools/emulate"
CHUNK = 8
PROMPT = "3,10,17,24,31"


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def environment(rank, ranks, port, **more):
    said = {"RANK": rank, "LOCAL_RANK": rank, "WORLD_SIZE": ranks, "MASTER_PORT": port}
    said = {"MASTER_ADDR": "127.0.0.1", **said, **more}
    return {**os.environ, **{key: str(value) for key, value in said.items()}}


class Job:
    """Processes that are one program. Who is left when one has failed is asked to end."""

    def __init__(self, ranks, *command, of=None, **options):
        """`of(rank)` has the variables of a rank that are not as usual."""
        port = free_port()
        self.ranks = [
            subprocess.Popen(
                [str(part) for part in command],
                env=environment(rank, ranks, port, **(of(rank) if of else {})),
                stdin=subprocess.PIPE if rank == 0 else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                **options,
            )
            for rank in range(ranks)
        ]

    def ask(self, line):
        self.ranks[0].stdin.write(line + "\n")
        self.ranks[0].stdin.flush()

    def end(self, ends_all=True, limit=120):
        """The first exit code that is not 0, what all printed, and when the last ended."""
        with contextlib.suppress(BrokenPipeError):
            self.ranks[0].stdin.close()
        self.ranks[0].stdin = None
        status, first = 0, None
        deadline = time.monotonic() + limit
        running = list(self.ranks)
        while running and time.monotonic() < deadline:
            for process in list(running):
                if process.poll() is None:
                    continue
                running.remove(process)
                if process.returncode and not status:
                    status, first = process.returncode, time.monotonic()
                    for other in running if ends_all else ():
                        other.terminate()
            time.sleep(0.01)
        after = time.monotonic() - first if first else 0
        for process in running:
            process.kill()
        texts = [process.communicate() for process in self.ranks]
        assert not running, f"{len(running)} processes did not end"
        self.after = after
        out, error = ("".join(texts[rank][i] for rank in range(len(texts))) for i in (0, 1))
        return subprocess.CompletedProcess([], status, out, error)


def start(ranks, *command, of=None):
    return Job(ranks, *command, of=of).end()


def errors_of(text):
    return [line for line in text.splitlines() if "error:" in line]


@pytest.fixture(scope="session")
def models(tmp_path_factory):
    """The same model for processors and for emulated GPUs."""
    need("tp-import", "tp-compile")
    folder = tmp_path_factory.mktemp("torchrun")
    checkpoint = tiny.make("gqa9", folder / "hf")
    made = []
    for target in ("cpu", "cuda:emulated"):
        (folder / target).mkdir()
        made.append(
            Model(
                *(checkpoint, folder / target, "--max-seq", 64, "--chunk", CHUNK),
                compile_options=("--target", target),
            )
        )
    return made


def command_of(model, ranks):
    return [model.executable(ranks), "--weights", model.checkpoint, "--tokens", PROMPT]
