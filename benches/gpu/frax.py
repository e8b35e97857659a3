"""Accelerations a second by frax 0.1.0 (JAX) for the arms that it has: as a table, on the default device."""

import time

import jax
import jax.numpy as jnp
from frax.robots.franka_panda import load_panda
from frax.robots.kuka_iiwa import load_iiwa

BATCH = 1 << 20

jax.config.update("jax_enable_x64", True)


def seconds(function, *arguments):
    """The least time of a call, after the one that compiles it."""
    jax.block_until_ready(function(*arguments))
    times = []
    for _ in range(10):
        begin = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter() - begin)
    return min(times)


print(f"\n| frax on {jax.devices()[0].device_kind} | accelerations/s |\n| --- | ---: |")
for name, load in [("iiwa", load_iiwa), ("panda", load_panda)]:
    robot = load()
    acceleration = jax.jit(jax.vmap(lambda q, v, u: robot.forward_dynamics(q, v, u, None)))
    for scalar in [jnp.float32, jnp.float64]:
        keys = jax.random.split(jax.random.PRNGKey(1), 3)
        state = [jax.random.uniform(key, (BATCH, 7), scalar, -2, 2) for key in keys]
        rate = BATCH / seconds(acceleration, *state)
        print(f"| {name}, {scalar.__name__} | {rate:.1e} |", flush=True)
