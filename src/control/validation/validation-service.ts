import { hostname } from "node:os";
import type { Config } from "../../platform/config/index.ts";
import type {
  ClusterValidationView,
  EventHub,
  Route,
  ValidationPort,
  ValidationView,
} from "../../platform/http/index.ts";
import { validationRoutes } from "../../platform/http/index.ts";
import type { Logger } from "../../platform/log/index.ts";
import type { Metrics } from "../../platform/metrics/index.ts";
import { createRng, randomSeed } from "../../platform/rng/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { createResultRoute, ensureRunSecret } from "../../validation/collect/index.ts";
import { type History, openHistory } from "../../validation/history/index.ts";
import type { ClusterSnapshot } from "../fleet/cluster-snapshot.ts";
import { ClusterKeeper } from "./cluster-keeper.ts";
import { summarize } from "./cluster-summary.ts";
import { collectFleetMetrics } from "./fleet-metrics.ts";
import { collectValidationMetrics } from "./metrics.ts";

export interface ValidationServiceOptions {
  readonly config: Pick<Config, "dataDir" | "validation" | "kubernetes" | "slurm" | "seed">;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How this program is started again, for jobs of this machine. */
  readonly command: readonly [program: string, ...args: string[]];
  readonly store: Store;
  readonly hub: EventHub;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Continuous validation inside the control plane: one loop for each cluster of the configuration. */
export class ValidationService implements ValidationPort {
  readonly routes: readonly Route[];
  readonly #options: ValidationServiceOptions;
  readonly #history: History;
  readonly #secret: string;
  #keepers: readonly ClusterKeeper[] = [];
  #starting: Promise<unknown> | undefined;
  #stopped: Promise<unknown> | undefined;

  private constructor(options: ValidationServiceOptions, secret: string) {
    const { store, clock } = options;
    this.#options = options;
    this.#secret = secret;
    this.#history = openHistory(store);
    const resultRoute = createResultRoute({
      history: this.#history,
      secret,
      clock,
      onResult: ({ cluster }) => this.#keepers.find(({ entry }) => entry.name === cluster)?.wake(),
    });
    this.routes = [...validationRoutes(this), resultRoute];
  }

  static async create(options: ValidationServiceOptions): Promise<ValidationService> {
    const service = new ValidationService(options, await ensureRunSecret(options.store));
    collectValidationMetrics(options.metrics, service);
    collectFleetMetrics(options.metrics, service);
    return service;
  }

  /** Begins to validate, where the configuration wants it; `url` is where this server is reached. */
  start(url: string): void {
    const { config, clock, log } = this.#options;
    if (!config.validation.enabled) return;
    const options = {
      ...this.#options,
      history: this.#history,
      secret: this.#secret,
      rng: createRng(config.seed ?? randomSeed()),
      command: this.#options.command,
      // Two lives of one process must not be taken for each other.
      holder: `${hostname()}/${process.pid}/${randomSeed()}`,
      ownUrl: url,
      clock,
      log,
    };
    this.#keepers = config.validation.clusters.map((entry) => new ClusterKeeper(entry, options));
    this.#starting = Promise.all(this.#keepers.map((keeper) => keeper.start()));
  }

  /** The history that the loops write. */
  get history(): History {
    return this.#history;
  }

  /** Those who look after the clusters, in the order of the configuration. */
  get keepers(): readonly ClusterKeeper[] {
    return this.#keepers;
  }

  get config(): ValidationServiceOptions["config"] {
    return this.#options.config;
  }

  async view(): Promise<ValidationView> {
    const clusters = await Promise.all(this.#keepers.map((keeper) => this.#viewNow(keeper)));
    return { enabled: this.#options.config.validation.enabled, clusters };
  }

  async #viewNow(keeper: ClusterKeeper): Promise<ClusterValidationView> {
    return await this.viewOf(keeper, await keeper.snapshot());
  }

  /** One cluster: how it stood in a snapshot of it, or why that cannot be told. */
  async viewOf(
    keeper: ClusterKeeper,
    snapshot: ClusterSnapshot | undefined,
  ): Promise<ClusterValidationView> {
    const { assembled } = keeper;
    if (snapshot === undefined || assembled === undefined) return this.#emptyView(keeper);
    return await summarize(assembled, snapshot, this.#history);
  }

  /** Ends all loops; what they had seen can still be read. Stopping twice is stopping once. */
  async stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    await this.#stopped;
  }

  async #stop(): Promise<void> {
    await this.#starting;
    await Promise.all(this.#keepers.map((keeper) => keeper.stop()));
  }

  /** A cluster about which nothing can be told yet, or at all. */
  #emptyView({ entry, problem }: ClusterKeeper): ClusterValidationView {
    return {
      name: entry.name,
      kind: entry.kind,
      provenance: entry.kind === "simulated" ? "simulated" : "measured",
      about: "not opened",
      speed: 1,
      now: new Date(this.#options.clock.nowMs()).toISOString(),
      state: problem === undefined ? "opening" : "failed",
      problem: problem ?? null,
      leader: null,
      checks: { available: [], unavailable: {} },
      nodes: { total: 0, pass: 0, warn: 0, suspect: 0, fail: 0, unknown: 0, notTested: 0 },
      coverage: {
        staleAfterDays: this.#options.config.validation.staleAfterMs / 86_400_000,
        covered: 0,
        overdueFree: 0,
        overdueBusy: 0,
        overdueUntestable: 0,
        overdueUnderTest: 0,
        overdueUnseen: 0,
        share: null,
      },
      gpuHours: { today: 0, perDay: null },
      inFlight: { count: 0, max: 0, runs: [] },
      findings: [],
      troubles: [],
    };
  }
}
