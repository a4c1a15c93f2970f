import { readFileSync } from "node:fs";
import type { Clock } from "../../../src/platform/time/clock.ts";
import { kubernetes } from "../binaries/parts.ts";
import { partPrograms } from "../binaries/resolve.ts";
import { ports } from "../control-plane/addresses.ts";
import { ClusterError } from "../errors.ts";
import { type RunOptions, type RunResult, run, runChecked } from "../machine/run.ts";
import { type ClusterPaths, logFile } from "../registry/paths.ts";
import type { ClusterRecord, ClusterShape } from "../registry/record.ts";
import { adoptCluster, askSupervisor } from "../supervisor/control-client.ts";
import type { ComponentStatus } from "../supervisor/protocol.ts";
import { destroyCluster } from "./destroy.ts";

/** The components a cluster can have; nodes count from 1. */
export type ComponentName =
  | "etcd"
  | "apiserver"
  | "controller-manager"
  | "scheduler"
  | "proxy"
  | "kwok"
  | "volcano-scheduler"
  | "volcano-controllers"
  | "volcano-webhooks"
  | `kubelet-node-${number}`
  | `containerd-node-${number}`
  | SlurmComponentName;

/** Slurm's; nodes count from 0. `node-g0` is the machine that `slurmd-g0` and its jobs run on. */
export type SlurmComponentName =
  | "munged"
  | "slurmctld"
  | "slurmdbd"
  | "mariadbd"
  | `node-g${number}`
  | `slurmd-g${number}`;

/** One component under a test's control. */
export interface ComponentControl {
  /**
   * Sends a signal. After one that ends a process, resolves when it has ended, and it stays ended
   * until `start`. SIGSTOP and SIGCONT freeze and thaw it. Default SIGKILL.
   */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it; resolves when it is healthy. */
  start(): Promise<void>;
  /** SIGTERM, then start. */
  restart(): Promise<void>;
  status(): Promise<ComponentStatus>;
}

/** A running cluster, also one that another process started. */
export class Cluster implements AsyncDisposable {
  readonly name: string;
  readonly shape: ClusterShape;
  /** Administrator's kubeconfig, good from this machine. */
  readonly kubeconfigPath: string;
  /** The cluster's address: the API server's and slurmctld's. */
  readonly clusterAddress: string;
  /** `https://ADDRESS:6443`, good from this machine and from inside. */
  readonly serverUrl: string;
  /** Where pods reach a server that a test runs on this machine. */
  readonly hostAddress: string;
  /** Everything the cluster writes is below it. */
  readonly dataDir: string;
  /** For hostPath volumes: the same path inside pods' nodes and outside. */
  readonly volumesDir: string;
  readonly #clock: Clock;
  readonly #paths: ClusterPaths;
  readonly #initPid: number;

  constructor(clock: Clock, paths: ClusterPaths, record: ClusterRecord) {
    if (record.init === undefined || record.network === undefined) {
      throw new ClusterError(`cluster "${record.name}" is still starting`);
    }
    this.name = record.name;
    this.shape = record.shape;
    this.kubeconfigPath = paths.kubeconfig;
    this.clusterAddress = record.network.clusterAddress;
    this.serverUrl = `https://${record.network.clusterAddress}:${ports.apiserver}`;
    this.hostAddress = record.network.hostAddress;
    this.dataDir = paths.folder;
    this.volumesDir = paths.volumes;
    this.#clock = clock;
    this.#paths = paths;
    this.#initPid = record.init.pid;
  }

  /** Control over one component. */
  component(name: ComponentName): ComponentControl {
    const ask = async (request: Parameters<typeof askSupervisor>[1]) => {
      await askSupervisor(this.#paths.controlSocket, request);
    };
    return {
      kill: (signal = "SIGKILL") => ask({ op: "kill", component: name, signal }),
      start: () => ask({ op: "start", component: name }),
      restart: () => ask({ op: "restart", component: name }),
      status: async () => {
        const found = (await this.status()).find((component) => component.name === name);
        if (found === undefined) throw new ClusterError(`no component "${name}" in ${this.name}`);
        return found;
      },
    };
  }

  /** Every component with its health. */
  async status(): Promise<readonly ComponentStatus[]> {
    const answer = await askSupervisor(this.#paths.controlSocket, { op: "status" });
    return answer.components ?? [];
  }

  /**
   * Compacts etcd's history up to now and returns that revision. The API server's watch cache
   * still knows older events: restart it to see "410 Gone" on a watch.
   */
  async etcdCompact(): Promise<number> {
    const answer = await askSupervisor(this.#paths.controlSocket, { op: "compact" });
    if (answer.revision === undefined) throw new ClusterError("no revision in the answer");
    return answer.revision;
  }

  /** Runs a program inside the cluster's network, mount and pid namespaces. */
  exec(args: readonly [string, ...string[]], options: RunOptions = {}): Promise<RunResult> {
    const target = ["--target", String(this.#initPid), "--net", "--mount", "--pid", "--"];
    return run("nsenter", [...target, ...args], options);
  }

  /** Runs kubectl as administrator and returns what it printed; throws when it fails. */
  kubectl(args: readonly string[], options: RunOptions = {}): Promise<string> {
    const { kubectl = "kubectl" } = partPrograms([kubernetes]);
    const env = { KUBECONFIG: this.kubeconfigPath, HOME: this.#paths.home };
    return runChecked(kubectl, args, { ...options, env });
  }

  /** Creates or changes objects: plain values, or YAML text. */
  async apply(...objects: readonly (object | string)[]): Promise<void> {
    const texts = objects.map((object) =>
      typeof object === "string" ? object : JSON.stringify(object),
    );
    await this.kubectl(["apply", "-f", "-"], { input: texts.join("\n---\n") });
  }

  /** What a component has written so far. */
  logs(component: ComponentName | "supervisor"): string {
    return readFileSync(logFile(this.#paths, component), "utf8");
  }

  /** Makes a cluster that `up` left running end with this process, even when that is killed. */
  async adopt(): Promise<void> {
    await adoptCluster(this.#paths.controlSocket);
  }

  /** Ends the cluster; nothing of it stays. Safe to call twice. */
  async stop(): Promise<void> {
    await destroyCluster(this.#clock, this.name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}
