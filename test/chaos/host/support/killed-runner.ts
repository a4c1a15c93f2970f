import { spawn } from "node:child_process";
import { readdir, readFile, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ChaosPlan } from "../../../../src/chaos/plan/index.ts";
import { lookAtProcess } from "../../../../src/chaos/processes/index.ts";
import { sleep } from "../../../../src/platform/time/index.ts";
import { clock, type HostProgram } from "./host-program.ts";
import { mountsIn } from "./mounts.ts";
import { networkOf, networkPrefixes } from "./network-left.ts";

export interface Killed {
  /** The program that the runner, its workers and its watchdog are processes of. */
  readonly program: string;
  /** Where it kept what it needs. */
  readonly state: string;
  /** How the names of its network begin; none: it had not written down that it would make one. */
  readonly prefixes: ReadonlySet<string>;
  /** Whether the job had done a step. */
  readonly hasStepped: boolean;
  /** What it had mounted when it was killed. */
  readonly mounts: readonly string[];
}

/** Starts a runner of its own and kills it with -9: so long after its start, or after a step of its job. */
export async function killRunner(
  program: HostProgram,
  plan: ChaosPlan,
  about: {
    readonly since: "start" | "step";
    readonly afterMs: number;
    readonly network: "proxy" | "namespaces";
    readonly env?: Readonly<Record<string, string>>;
  },
): Promise<Killed> {
  const file = join(program.folder(), "plan.json");
  const state = join(await realpath(program.folder()), "killed-state");
  await writeFile(file, JSON.stringify(plan));
  const args = [program.path(), "agent", "run", file, state, about.network];
  const runner = spawn(process.execPath, args, {
    env: { PATH: process.env["PATH"] ?? "", ...about.env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => {
    runner.on("exit", () => resolve());
  });
  let hasStepped = false;
  const stepped = new Promise<void>((resolve) => {
    runner.stdout.on("data", (chunk) => {
      if (!String(chunk).includes('"step"')) return;
      hasStepped = true;
      resolve();
    });
  });
  if (about.since === "step") await Promise.race([stepped, ended]);
  await sleep(clock, about.afterMs);
  const before = networkPrefixes(state);
  const mounts = mountsIn(state);
  runner.kill("SIGKILL");
  await ended;
  const prefixes = new Set([...before, ...networkPrefixes(state)]);
  return { program: program.path(), state, prefixes, hasStepped, mounts };
}

/** What is left of a run, by name: processes, namespaces and links, mounts, folders, ledgers. */
export async function leftOf({ program, prefixes, state }: Killed): Promise<readonly string[]> {
  const names = async (folder: string) => readdir(join(state, folder)).catch(() => []);
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const processes = await Promise.all(pids.map((pid) => processOf(pid, program)));
  return [
    ...processes.flat(),
    ...networkOf(prefixes),
    ...mountsIn(state),
    ...(await names("runs")),
    ...(await names("ledgers")),
  ];
}

/** Asks the kernel, not the marks that the runner gives its processes. */
async function processOf(pid: number, program: string): Promise<readonly string[]> {
  const line = await readFile(`/proc/${pid}/cmdline`, "latin1").catch(() => "");
  if (!line.split("\0").includes(program)) return [];
  const state = (await lookAtProcess(pid))?.state ?? "Z";
  return "ZX".includes(state) ? [] : [`process ${pid} (${state})`];
}
