# SPDX-FileCopyrightText: 2026 The Sheaf authors
# SPDX-License-Identifier: Apache-2.0
"""Environment steps a second, random actions: sheaf.VectorEnv beside Gymnasium's SyncVectorEnv, EnvPool (if it is installed) and the
reference's rollout module, which makes the simulation steps alone. All run in turn; printed are medians of the rounds.

    python bench/vector.py --num-envs 64 --threads 2        # needs gymnasium and mujoco
"""
import argparse
import statistics
import time

import numpy as np

IDS = ("HalfCheetah-v5", "Hopper-v5", "Walker2d-v5", "Ant-v5", "Humanoid-v5")


def rate(step, n, seconds):
    """Environment steps a second."""
    count, began = 0, time.perf_counter()
    while (now := time.perf_counter()) < began + seconds:
        step()
        count += n
    return count / (now - began)


def gymnasium_way(id, args):
    import gymnasium
    env = gymnasium.make_vec(id, num_envs=args.num_envs, vectorization_mode="sync")
    env.reset(seed=0)
    return lambda: env.step(env.action_space.sample())


def sheaf_way(id, args):
    import sheaf
    env = sheaf.VectorEnv(id, args.num_envs, threads=args.threads)
    env.reset(seed=0)
    return lambda: env.step(env.action_space.sample())


def rollout_way(id, args):
    import gymnasium
    import mujoco
    from mujoco import rollout
    one = gymnasium.make(id).unwrapped
    m, n = one.model, args.num_envs
    datas, pool = [mujoco.MjData(m) for _ in range(args.threads)], rollout.Rollout(nthread=args.threads)
    x = np.repeat(np.concatenate(([0], one.init_qpos, one.init_qvel))[None], n, axis=0)
    rng, low, high = np.random.default_rng(0), *m.actuator_ctrlrange.T
    held = [x, 0]

    def step():
        held[1] += 1
        if held[1] % 100 == 0:
            held[0] = x    # nobody else begins new episodes
        u = np.repeat(rng.uniform(low, high, (n, 1, m.nu)), one.frame_skip, axis=1)
        held[0] = pool.rollout([m] * n, datas, held[0], u)[0][:, -1]
    return step


def envpool_way(id, args):
    import envpool
    env = envpool.make(id, env_type="gymnasium", num_envs=args.num_envs, num_threads=args.threads)
    env.reset()
    space, rng = env.action_space, np.random.default_rng(0)
    return lambda: env.step(rng.uniform(space.low, space.high, (args.num_envs, *space.shape)).astype(np.float32))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--num-envs", type=int, default=64)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each way in each round")
    parser.add_argument("--ids", nargs="*", default=IDS)
    args = parser.parse_args()
    print("| environment | sheaf.VectorEnv, steps/s | SyncVectorEnv | rollout module | EnvPool |\n|---|---|---|---|---|")
    for id in args.ids:
        ways = {}
        for name, way in (("sheaf", sheaf_way), ("gymnasium", gymnasium_way), ("rollout", rollout_way), ("envpool", envpool_way)):
            try:
                ways[name] = way(id, args)
            except Exception as e:    # EnvPool raises what it likes
                print(f"{id}, {name}: {type(e).__name__}: {str(e)[:80]}")
        rounds = [{name: rate(step, args.num_envs, args.seconds) for name, step in ways.items()} for _ in range(args.rounds)]
        mine = [r["sheaf"] for r in rounds]
        cells = [f"{statistics.median(mine):,.0f}"]
        for name in ("gymnasium", "rollout", "envpool"):
            cells.append(f"{statistics.median(r[name] for r in rounds):,.0f} (1/{statistics.median(r['sheaf'] / r[name] for r in rounds):.1f})"
                         if name in ways else "-")
        print(f"| {id} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
