import { spawn } from "node:child_process";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { processesOfRun } from "../../../../src/chaos/host/cleanup/processes.ts";
import type { ChaosPlan } from "../../../../src/chaos/plan/index.ts";
import { sleep } from "../../../../src/platform/time/index.ts";
import { clock, type HostProgram } from "./host-program.ts";

export interface Killed {
  /** The run that was killed; undefined when it came to nothing before. */
  readonly run: string | undefined;
  /** Where it kept what it needs. */
  readonly state: string;
}

/** Starts a runner of its own and kills it with -9, so long after it has done a step. */
export async function killRunner(
  program: HostProgram,
  plan: ChaosPlan,
  about: {
    readonly afterMs: number;
    readonly network: "proxy" | "namespaces";
    readonly env?: Readonly<Record<string, string>>;
  },
): Promise<Killed> {
  const file = join(program.folder(), "plan.json");
  const state = join(program.folder(), "killed-state");
  await writeFile(file, JSON.stringify(plan));
  const args = [program.path(), "agent", "run", file, state, about.network];
  const runner = spawn(process.execPath, args, {
    env: { PATH: process.env["PATH"] ?? "", ...about.env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => {
    runner.on("exit", () => resolve());
  });
  const stepped = new Promise<void>((resolve) => {
    runner.stdout.on("data", (chunk) => {
      if (String(chunk).includes('"step"')) resolve();
    });
  });
  await Promise.race([stepped, ended]);
  await sleep(clock, about.afterMs);
  const [run] = await readdir(join(state, "runs")).catch(() => []);
  runner.kill("SIGKILL");
  await ended;
  return { run, state };
}

/** What is left of a run, by name: processes, folders, ledgers. */
export async function leftOf({ run, state }: Killed): Promise<readonly string[]> {
  const names = async (folder: string) => readdir(join(state, folder)).catch(() => []);
  const processes = run === undefined ? [] : await processesOfRun(run);
  return [
    ...processes.map(({ pid, state: how }) => `process ${pid} (${how})`),
    ...(await names("runs")),
    ...(await names("ledgers")),
  ];
}
