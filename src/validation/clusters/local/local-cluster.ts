import { loadavg } from "node:os";
import { TesseraError } from "../../../platform/errors/index.ts";
import {
  availableChecks,
  type Check,
  checkCatalogue,
  describeCheckHost,
  findCheck,
  findGpus,
  type GpuView,
} from "../../checks/index.ts";
import type { Cluster, ClusterNode, ClusterView, JobRequest, ViewTrust } from "../cluster.ts";
import { LocalJobs } from "./local-jobs.ts";
import { type MachineSight, MachineWatch } from "./machine-watch.ts";
import { localNodeName } from "./node-name.ts";
import { notFreeReasons } from "./not-free.ts";
import type { LocalClusterOptions } from "./options.ts";
import { skuOfMachine } from "./sku.ts";

/**
 * This machine as a cluster of one node. Checks run as child processes, which end with this process:
 * a run that was under way when it died has no job afterwards, and its result, if it came to one, is
 * in the log tree.
 *
 * @throws TesseraError E_CHECK_UNKNOWN for an own check that names no program.
 */
export function createLocalCluster(options: LocalClusterOptions): Cluster {
  return new LocalCluster(options);
}

const nothingSeen: MachineSight = { gpus: { models: [], processes: [] }, load: 0 };

class LocalCluster implements Cluster {
  readonly kind = "local";
  readonly provenance = "measured";
  readonly controls = undefined;
  readonly name: string;
  readonly clock: Cluster["clock"];
  readonly #options: LocalClusterOptions;
  readonly #node: string;
  readonly #jobs: LocalJobs;
  readonly #listeners = new Set<() => void>();
  readonly #ownChecks: readonly Check[];
  readonly #watch: MachineWatch;
  #host = describeCheckHost();

  constructor(options: LocalClusterOptions) {
    this.name = options.name;
    this.clock = options.clock;
    this.#options = options;
    this.#node = options.nodeName ?? localNodeName();
    this.#ownChecks = Object.entries(options.ownChecks ?? {})
      .filter(([name]) => !checkCatalogue.some((check) => check.name === name))
      .map(([name, checkOptions]) => findCheck(name, checkOptions));
    this.#watch = new MachineWatch({
      clock: this.clock,
      everyMs: options.lookEveryMs ?? 15_000,
      findGpus: options.findGpus ?? this.#askDriver,
      load: options.load ?? (() => loadavg()[0] ?? 0),
      onLook: () => this.#looked(),
    });
    this.#jobs = new LocalJobs({
      ...options,
      onChange: () => this.#tell(),
      // Who was seen on the GPUs until now may have been the job itself.
      onEnded: () => this.#watch.lookAgain(),
    });
  }

  get checks(): Cluster["checks"] {
    return availableChecks(this.#host, [...checkCatalogue, ...this.#ownChecks]);
  }

  start(): void {
    this.#watch.start();
  }

  view(): ClusterView {
    const jobs = this.#jobs.views();
    return { atMs: this.clock.nowMs(), trust: this.#trust(), nodes: [this.#nodeView()], jobs };
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  takeSigns(): readonly [] {
    return [];
  }

  async submit(request: JobRequest): Promise<void> {
    const { check, jobName, node } = request.intent;
    const { available, unavailable } = this.checks;
    const refuse = (problem: string) =>
      new TesseraError("E_JOB_REFUSED", { cluster: this.name, job: jobName, problem });
    if (node !== this.#node) throw refuse(`there is no node ${node}, only ${this.#node}`);
    if (!available.includes(check)) {
      throw refuse(`check ${check} cannot run here: ${unavailable[check] ?? "it is not known"}`);
    }
    await this.#jobs.submit(request);
  }

  async cancel(jobName: string): Promise<void> {
    await this.#jobs.cancel(jobName);
  }

  async stop(): Promise<void> {
    await this.#watch.stop();
  }

  #looked(): void {
    this.#host = describeCheckHost(this.#watch.sight?.gpus.models);
    this.#tell();
  }

  #trust(): ViewTrust {
    return this.#watch.sight === undefined
      ? { state: "starting", reason: "this machine has not been looked at yet" }
      : { state: "current" };
  }

  readonly #askDriver = (signal: AbortSignal): Promise<GpuView> =>
    findGpus({ clock: this.clock, signal, env: process.env });

  #nodeView(): ClusterNode {
    const { loadPerCpuMax = 16 } = this.#options;
    const { gpus, load } = this.#watch.sight ?? nothingSeen;
    const active = this.#jobs
      .views()
      .filter(({ phase }) => phase !== "succeeded" && phase !== "failed");
    const state = {
      gpus,
      load,
      loadMax: loadPerCpuMax * this.#host.cpus,
      active,
      outdated: this.#watch.isOutdated,
    };
    return {
      name: this.#node,
      sku: skuOfMachine(gpus.models),
      rack: "",
      gpus: gpus.models.length,
      notFree: notFreeReasons(state),
      awaitsAcceptance: false,
      cordoned: false,
    };
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
