import { once } from "node:events";
import { join } from "node:path";
import { type RunningCli, startCli } from "../../../../support/built-cli.ts";
import type { Installation } from "../support/installation.ts";

/** Longer than any number of rounds takes. */
const limitMs = 6 * 3_600_000;

/** The fault API and the agents, each of which can be killed and started again as it was. */
export class Fleet {
  readonly #folder: string;
  readonly #apiUrl: string;
  readonly #processes: Map<string, RunningCli>;
  readonly #starting = new Map<string, Promise<void>>();

  private constructor(installation: Installation, folder: string) {
    this.#folder = folder;
    this.#apiUrl = installation.apiUrl;
    const agents = [...installation.agents].map(([node, cli]) => [`agent ${node}`, cli] as const);
    this.#processes = new Map([["api", installation.api], ...agents]);
  }

  /** Takes over what was installed. */
  static async of(installation: Installation, folder: string): Promise<Fleet> {
    const fleet = new Fleet(installation, folder);
    // Those of the installation have a limit of their own.
    await fleet.killAll();
    await fleet.startMissing();
    return fleet;
  }

  /** SIGKILL, all of them at once; resolves when they are gone. */
  async kill(...names: readonly string[]): Promise<void> {
    await killProcesses(names.map((name) => this.#process(name)));
  }

  async killAll(): Promise<void> {
    await this.kill(...this.#processes.keys());
  }

  /** Starts those that do not run, and waits until all are ready. */
  async startMissing(): Promise<void> {
    await Promise.all([...this.#processes.keys()].map((name) => this.start(name)));
  }

  /** Starts one, or waits for one that is being started. */
  async start(name: string): Promise<void> {
    const starting = this.#starting.get(name) ?? this.#start(name);
    this.#starting.set(name, starting);
    await starting.finally(() => this.#starting.delete(name));
  }

  async stop(): Promise<void> {
    for (const { child, result } of this.#processes.values()) {
      child.kill("SIGTERM");
      await result;
    }
  }

  async #start(name: string): Promise<void> {
    const { child } = this.#process(name);
    if (isRunning(child)) return;
    // As it was started before: a program, a script, and its arguments.
    const [, script = "", ...args] = child.spawnargs;
    if (name === "api") args[args.indexOf("--port") + 1] = new URL(this.#apiUrl).port;
    const account = name === "api" ? "tessera-fault-api" : `tessera-${name.replace(" ", "-")}`;
    const env = { KUBECONFIG: join(this.#folder, `${account}.kubeconfig.json`) };
    const started = await startCli(args, { script, env, limitMs });
    this.#processes.set(name, started);
    await started.untilStdout((text) => text.includes("is ready"));
  }

  #process(name: string): RunningCli {
    const found = this.#processes.get(name);
    if (found === undefined) throw new Error(`there is no ${name}`);
    return found;
  }
}

/** SIGKILL to all at once; resolves when they are gone. */
export async function killProcesses(processes: readonly RunningCli[]): Promise<void> {
  for (const { child } of processes) child.kill("SIGKILL");
  await Promise.all(
    processes.map(async ({ child }) => {
      if (isRunning(child)) await once(child, "exit");
    }),
  );
}

export function isRunning({ exitCode, signalCode }: RunningCli["child"]): boolean {
  return exitCode === null && signalCode === null;
}
