import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const version = "4.1.1";
const installTimeoutMs = 100_000;
const runTimeoutMs = 600_000;

/**
 * The model of `barrier-job.ts` as users of SimPy write it: a process for each rank, an event for each group, a
 * timeout beside each wait, a random stream for each rank, the last arrival of each link, and a running
 * hash of what happened. Arguments: ranks, steps. Prints wall and processor seconds.
 */
const program = `
import random, sys, time
import simpy
ranks, steps = int(sys.argv[1]), int(sys.argv[2])
group_size, compute, jitter, limit = 16, 100_000, 0.02, 30_000_000
env = simpy.Environment()
trace = 0
last = {}

def note(kind, a):
    global trace
    trace = hash((trace, env.now, kind, a))

def flight(source, target, chance):
    if source == target:
        return 0
    one, other = source // 8, target // 8
    if one == other:
        us = 4
    elif one // 9 == other // 9:
        us = 9 + chance.randrange(3)
    else:
        us = 15 + chance.randrange(5)
    at = max(env.now + us, last.get((source, target), 0))
    last[source, target] = at
    return at - env.now

class Group:
    def __init__(self, first):
        self.first, self.here, self.all_here = first, 0, env.event()
        self.chance = random.Random(first)
    def arrived(self):
        self.here += 1
        if self.here == group_size:
            self.here = 0
            done, self.all_here = self.all_here, env.event()
            done.succeed()

def rank(number, group):
    chance = random.Random(number)
    for step in range(steps):
        yield env.timeout(round(compute * (1 + jitter * chance.random())))
        note("computed", number)
        late = env.timeout(limit)
        all_here = group.all_here
        yield env.timeout(flight(number, group.first, chance))
        note("arrived", number)
        group.arrived()
        result = yield all_here | late
        if late in result:
            raise SystemExit("everybody comes")
        yield env.timeout(flight(group.first, number, group.chance))
        note("released", number)

processes = []
for first in range(0, ranks, group_size):
    group = Group(first)
    processes += [env.process(rank(number, group)) for number in range(first, first + group_size)]
wall, cpu = time.perf_counter(), time.process_time()
env.run(until=env.all_of(processes))
print(time.perf_counter() - wall, time.process_time() - cpu, trace)
`;

export interface SimPyPeer {
  readonly version: string;
  /** The same job; processor and wall time in milliseconds. */
  run(ranks: number, steps: number): Promise<{ readonly tookMs: number; readonly cpuMs: number }>;
}

/** SimPy, put into the user's cache the first time; or why it cannot be had here. */
export async function findSimPy(): Promise<SimPyPeer | string> {
  const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  const folder = join(cache, "tessera", "python", `simpy-${version}`);
  const env = { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: "1" };
  try {
    if (!existsSync(folder)) await install(folder);
    await run("python3", ["-c", "import simpy"], { env });
  } catch (error) {
    const [line = ""] = String(error).trim().split("\n").slice(-1);
    return `SimPy ${version} cannot be installed here: ${line.slice(0, 120)}`;
  }
  return {
    version,
    run: async (ranks, steps) => {
      const args = ["-c", program, String(ranks), String(steps)];
      const { stdout } = await run("python3", args, { env, timeout: runTimeoutMs });
      const [wall, cpu] = stdout.split(" ").map(Number);
      return { tookMs: 1000 * (wall ?? Number.NaN), cpuMs: 1000 * (cpu ?? Number.NaN) };
    },
  };
}

/** Beside its place first, so that nobody finds half of it. */
async function install(folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const unfinished = await mkdtemp(`${folder}-`);
  try {
    const options = ["--quiet", "--disable-pip-version-check", "--retries", "1", "--timeout", "10"];
    const args = ["-m", "pip", "install", ...options, "--target", unfinished, `simpy==${version}`];
    await run("python3", args, { timeout: installTimeoutMs });
    await rename(unfinished, folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}
