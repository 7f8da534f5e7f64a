"""Prints the seconds by which JAX compiles the layers of programs.py longer for N devices than for one.

jax_layers.py LAYERS DEVICES
"""

import os
import statistics
import sys
import time

LAYERS, DEVICES = int(sys.argv[1]), int(sys.argv[2])
os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={DEVICES}"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402  the flags come first
import jax.numpy as jnp  # noqa: E402
from jax.sharding import Mesh, NamedSharding, PartitionSpec  # noqa: E402
from programs import HIDDEN, ROWS, WIDTH  # noqa: E402


def model(stream, weights):
    for scale, up, down in weights:
        squares = jnp.sum(stream * stream, axis=1, keepdims=True)
        hidden = (stream * jax.lax.rsqrt(squares / WIDTH + 1e-5) * scale) @ up
        stream = stream + (hidden / (1 + jnp.exp(-hidden))) @ down
    return stream


def compile_seconds(devices):
    mesh = Mesh(jax.devices()[:devices], ("tp",))

    def value(shape, *axes):
        sharding = NamedSharding(mesh, PartitionSpec(*axes))
        return jax.ShapeDtypeStruct(shape, jnp.float32, sharding=sharding)

    weights = [
        (value((WIDTH,)), value((WIDTH, HIDDEN), None, "tp"), value((HIDDEN, WIDTH), "tp", None))
    ] * LAYERS
    jax.clear_caches()
    lowered = jax.jit(model).lower(value((ROWS, WIDTH)), weights)
    start = time.process_time()
    lowered.compile()
    return time.process_time() - start


compile_seconds(1)
RUNS = 3
print(
    statistics.median(compile_seconds(DEVICES) for _ in range(RUNS))
    - statistics.median(compile_seconds(1) for _ in range(RUNS))
)
