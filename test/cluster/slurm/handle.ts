import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../../src/platform/time/clock.ts";
import { ClusterError } from "../errors.ts";
import type { Cluster, ComponentControl } from "../lifecycle/cluster.ts";
import { type RunOptions, type RunResult, runChecked } from "../machine/run.ts";
import { waitFor } from "../machine/wait.ts";
import { subnetIndexOf } from "../namespaces/subnet.ts";
import { nodesSubnet, slurmNodeName } from "./addresses.ts";
import { enterScript, firstProcessScript, nodeFiles, untilOffScript } from "./node.ts";
import { slurmPathsOf } from "./paths.ts";
import { alice, type SlurmUser } from "./users.ts";

/** One node under a test's control. */
export interface SlurmNode {
  readonly name: string;
  readonly address: string;
  /** Ends slurmd in good order (SIGTERM). Jobs that run go on. */
  stop(): Promise<void>;
  /** SIGKILL, or another signal, to slurmd alone. Jobs that run go on. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Starts slurmd, and the node first when it is off; resolves when slurmd listens. */
  start(): Promise<void>;
  /** The node loses power: slurmd and every process of every job end at once. Resolves when they have. */
  powerOff(): Promise<void>;
  /** Pulls the network cable: nothing comes in or goes out, processes go on. */
  cut(): Promise<void>;
  /** Puts it back. */
  mend(): Promise<void>;
  /** Its state as Slurm says it, for example `IDLE` or `DOWN*+DRAIN`. */
  state(): Promise<string>;
  /** Waits until its state matches; throws with the last one seen. Default 60 s. */
  waitForState(pattern: RegExp, timeoutMs?: number): Promise<void>;
  /** Runs a program on the node, as root. */
  exec(args: readonly [string, ...string[]], options?: RunOptions): Promise<RunResult>;
}

/** The Slurm of a running cluster. */
export class Slurm implements AsyncDisposable {
  /** The cluster it is part of. */
  readonly cluster: Cluster;
  /** For SLURM_CONF. */
  readonly conf: string;
  /** What Slurm's tools need in their environment, from this machine as root. */
  readonly env: Readonly<Record<string, string>>;
  /** The shared file system: the same path on this machine and on every node, open to all users. */
  readonly sharedDir: string;
  /** The file with a line for each job that ended. */
  readonly jobcompFile: string;
  readonly nodes: readonly SlurmNode[];
  readonly controller: ComponentControl;
  /** `22.05.8` */
  readonly slurmVersion: string;
  readonly #clock: Clock;
  readonly #homes: string;

  constructor(clock: Clock, cluster: Cluster, slurmVersion: string) {
    const paths = slurmPathsOf(cluster.dataDir);
    this.cluster = cluster;
    this.conf = paths.conf;
    this.env = { SLURM_CONF: paths.conf };
    this.sharedDir = paths.shared;
    this.jobcompFile = paths.jobcomp;
    this.controller = cluster.component("slurmctld");
    this.slurmVersion = slurmVersion;
    this.#clock = clock;
    this.#homes = paths.homes;
    const indexes = Array.from({ length: cluster.shape.slurm }, (_, index) => index);
    this.nodes = indexes.map((index) => this.#node(index));
  }

  /** Opens the Slurm of a cluster that has one. */
  static async of(clock: Clock, cluster: Cluster): Promise<Slurm> {
    if (cluster.shape.slurm === 0) throw new ClusterError(`${cluster.name} has no Slurm`);
    const env = { SLURM_CONF: slurmPathsOf(cluster.dataDir).conf };
    const said = await runChecked("sinfo", ["--version"], { env });
    return new Slurm(clock, cluster, said.trim().split(" ").at(-1) ?? said.trim());
  }

  /** One node by its index or its name. */
  node(which: number | string): SlurmNode {
    const found = this.nodes.find(({ name }, index) => name === which || index === which);
    if (found === undefined) throw new ClusterError(`no node ${which} in ${this.cluster.name}`);
    return found;
  }

  /** Runs one of Slurm's tools on this machine as root; returns what it printed, throws if it fails. */
  run(tool: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
    return runChecked(tool, args, { ...options, env: { ...this.env, ...options.env } });
  }

  /** Runs one of Slurm's tools inside as another user. Never throws for an exit status. */
  runAs(
    user: SlurmUser,
    tool: string,
    args: readonly string[],
    options: RunOptions = {},
  ): Promise<RunResult> {
    const identity = [`--reuid=${user.id}`, `--regid=${user.id}`, "--clear-groups"];
    const home = join(this.#homes, user.name);
    return this.cluster.exec(["setpriv", ...identity, "--", tool, ...args], {
      ...options,
      env: { ...this.env, HOME: home, USER: user.name, LOGNAME: user.name, ...options.env },
    });
  }

  /**
   * Submits a batch job as a user who is nobody special; returns its number. The script's shell
   * line is added. Output goes to the user's home, `slurm-NUMBER.out`.
   */
  async submitUserJob(
    script: string,
    args: readonly string[] = [],
    user: SlurmUser = alice,
  ): Promise<string> {
    const options = ["--parsable", `--chdir=${join(this.#homes, user.name)}`, ...args];
    const result = await this.runAs(user, "sbatch", options, { input: `#!/bin/sh\n${script}\n` });
    if (result.exitCode === 0) return result.stdout.trim().split(";")[0] ?? "";
    throw new ClusterError(`sbatch as ${user.name}: ${result.stderr.trim()}`);
  }

  /** What a user's job has printed so far. */
  outputOf(job: string, user: SlurmUser = alice): string {
    return readFileSync(join(this.#homes, user.name, `slurm-${job}.out`), "utf8");
  }

  /** A job's state as the controller says it, for example `RUNNING`. */
  async jobState(job: string): Promise<string> {
    const said = await this.run("scontrol", ["-o", "show", "job", job]);
    return /\bJobState=(\S+)/.exec(said)?.[1] ?? "";
  }

  /** Waits until a job's state matches; throws with the last one seen. Default 60 s. */
  async waitForJob(job: string, pattern: RegExp, timeoutMs = 60_000): Promise<void> {
    await this.#waitForMatch(`job ${job}`, pattern, timeoutMs, () => this.jobState(job));
  }

  /** Ends the cluster; nothing of it stays. */
  stop(): Promise<void> {
    return this.cluster.stop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  #node(index: number): SlurmNode {
    const name = slurmNodeName(index);
    const { cluster } = this;
    const slurmd = cluster.component(`slurmd-g${index}`);
    const power = cluster.component(`node-g${index}`);
    const state = async () => {
      const said = await this.run("scontrol", ["-o", "show", "node", name]);
      return /\bState=(\S+)/.exec(said)?.[1] ?? "";
    };
    const link = async (way: "up" | "down") => {
      const { exitCode, stderr } = await cluster.exec(["ip", "link", "set", name, way]);
      if (exitCode !== 0) throw new ClusterError(`link of ${name} not ${way}: ${stderr.trim()}`);
    };
    return {
      name,
      address: nodesSubnet(subnetIndexOf(cluster.clusterAddress) ?? -1).node(index),
      stop: () => slurmd.kill("SIGTERM"),
      kill: (signal = "SIGKILL") => slurmd.kill(signal),
      start: async () => {
        await power.start();
        await slurmd.start();
      },
      powerOff: async () => {
        const inside = (script: string, argument: string) =>
          cluster.exec(["/bin/sh", "-c", script, "power", argument]);
        const first = (await inside(firstProcessScript, nodeFiles(name))).stdout.trim();
        await power.kill("SIGKILL");
        if (first !== "") await inside(untilOffScript, first);
        // It is gone already; this says that it is not to come back by itself.
        await slurmd.kill("SIGKILL");
      },
      cut: () => link("down"),
      mend: () => link("up"),
      state,
      waitForState: (pattern, timeoutMs = 60_000) =>
        this.#waitForMatch(`node ${name}`, pattern, timeoutMs, state),
      exec: (args, options) =>
        cluster.exec(["/bin/sh", "-c", enterScript, "enter", nodeFiles(name), ...args], options),
    };
  }

  async #waitForMatch(
    what: string,
    pattern: RegExp,
    timeoutMs: number,
    look: () => Promise<string>,
  ): Promise<void> {
    let last = "";
    const wait = { clock: this.#clock, what: `${what} to be ${pattern}`, timeoutMs };
    await waitFor(wait, async () => {
      last = await look();
      if (pattern.test(last)) return true;
      throw new ClusterError(`it is ${last}`);
    });
  }
}
