"""Prints seconds that JAX takes to partition the layers of programs.py: propagation and partitioner.

jax_layers.py LAYERS DEVICES ROWS WIDTH HIDDEN; needs an interpreter with JAX.
"""

import os
import sys
import tempfile
from pathlib import Path

LAYERS, DEVICES, ROWS, WIDTH, HIDDEN = (int(text) for text in sys.argv[1:])
os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={DEVICES}"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402  the flags come first
import jax.numpy as jnp  # noqa: E402
from jax.sharding import Mesh, NamedSharding, PartitionSpec  # noqa: E402

# XLA's pipeline of Shardy's import, propagation and export, and of the partitioner.
PIPELINE = "spmd-partitioner"


def model(stream, weights):
    for scale, up, down in weights:
        squares = jnp.sum(stream * stream, axis=1, keepdims=True)
        hidden = (stream * jax.lax.rsqrt(squares / WIDTH + 1e-5) * scale) @ up
        stream = stream + (hidden / (1 + jnp.exp(-hidden))) @ down
    return stream


def lower():
    mesh = Mesh(jax.devices(), ("tp",))

    def value(shape, *axes):
        sharding = NamedSharding(mesh, PartitionSpec(*axes))
        return jax.ShapeDtypeStruct(shape, jnp.float32, sharding=sharding)

    weights = [
        (value((WIDTH,)), value((WIDTH, HIDDEN), None, "tp"), value((HIDDEN, WIDTH), "tp", None))
    ] * LAYERS
    return jax.jit(model).lower(value((ROWS, WIDTH)), weights)


def seconds_of(pipeline, folder):
    (trace,) = Path(folder).rglob("*.xplane.pb")
    return sum(
        event.duration_ns / 1e9
        for plane in jax.profiler.ProfileData.from_file(str(trace)).planes
        for line in plane.lines
        for event in line.events
        if event.name.startswith(pipeline)
    )


lowered = lower()
with tempfile.TemporaryDirectory() as traces:
    with jax.profiler.trace(traces):
        lowered.compile()
    print(seconds_of(PIPELINE, traces))
