import { loadavg } from "node:os";
import { messageOf, TesseraError } from "../../../platform/errors/index.ts";
import type { Timer } from "../../../platform/time/clock.ts";
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
  readonly #stop = new AbortController();
  readonly #ownChecks: readonly Check[];
  #host = describeCheckHost();
  #gpus: GpuView = { models: [], processes: [] };
  #load = 0;
  #trust: ViewTrust = { state: "starting", reason: "this machine has not been looked at yet" };
  #timer: Timer | undefined;
  #looking: Promise<void> | undefined;

  constructor(options: LocalClusterOptions) {
    this.name = options.name;
    this.clock = options.clock;
    this.#options = options;
    this.#node = options.nodeName ?? localNodeName();
    this.#ownChecks = Object.entries(options.ownChecks ?? {})
      .filter(([name]) => !checkCatalogue.some((check) => check.name === name))
      .map(([name, checkOptions]) => findCheck(name, checkOptions));
    this.#jobs = new LocalJobs({ ...options, onChange: () => this.#tell() });
  }

  get checks(): Cluster["checks"] {
    return availableChecks(this.#host, [...checkCatalogue, ...this.#ownChecks]);
  }

  start(): void {
    this.#looking ??= this.#look();
  }

  view(): ClusterView {
    const jobs = this.#jobs.views();
    return { atMs: this.clock.nowMs(), trust: this.#trust, nodes: [this.#nodeView()], jobs };
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
    this.#stop.abort(new Error("the cluster was stopped"));
    this.#timer?.cancel();
    await this.#looking;
  }

  /** Looks at GPUs and load, and again after a while. Never rejects. */
  async #look(): Promise<void> {
    const { findGpus: ask = this.#askDriver, lookEveryMs = 15_000, load } = this.#options;
    try {
      this.#gpus = await ask(this.#stop.signal);
    } catch (error) {
      this.#gpus = { models: this.#gpus.models, processes: [], problem: messageOf(error) };
    }
    if (this.#stop.signal.aborted) return;
    this.#host = describeCheckHost(this.#gpus.models);
    this.#load = load?.() ?? loadavg()[0] ?? 0;
    this.#trust = { state: "current" };
    this.#tell();
    this.#timer = this.clock.setTimer(lookEveryMs, () => {
      this.#looking = this.#look();
    });
  }

  readonly #askDriver = (signal: AbortSignal): Promise<GpuView> =>
    findGpus({ clock: this.clock, signal, env: process.env });

  #nodeView(): ClusterNode {
    const { loadPerCpuMax = 16 } = this.#options;
    const { models } = this.#gpus;
    const active = this.#jobs
      .views()
      .filter(({ phase }) => phase !== "succeeded" && phase !== "failed");
    const state = {
      gpus: this.#gpus,
      load: this.#load,
      loadMax: loadPerCpuMax * this.#host.cpus,
      active,
    };
    return {
      name: this.#node,
      sku: skuOfMachine(models),
      rack: "",
      gpus: models.length,
      notFree: notFreeReasons(state),
      awaitsAcceptance: false,
      cordoned: false,
    };
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
