import { hostname } from "node:os";
import type { Config } from "../../../platform/config/index.ts";
import type {
  ClusterValidationView,
  EventHub,
  Route,
  ValidationPort,
  ValidationView,
} from "../../../platform/http/index.ts";
import { validationRoutes } from "../../../platform/http/index.ts";
import type { Logger } from "../../../platform/log/index.ts";
import type { Metrics } from "../../../platform/metrics/index.ts";
import { createRng, randomSeed } from "../../../platform/rng/index.ts";
import type { Store } from "../../../platform/store/index.ts";
import type { Clock } from "../../../platform/time/clock.ts";
import { createResultRoute, ensureRunSecret } from "../../../validation/collect/index.ts";
import { type History, openHistory } from "../../../validation/history/index.ts";
import { ownProgram } from "../../own-program.ts";
import { ClusterKeeper } from "./cluster-keeper.ts";
import type { ClusterSummary } from "./cluster-summary.ts";
import { collectValidationMetrics } from "./metrics.ts";

export interface ValidationServiceOptions {
  readonly config: Pick<Config, "validation" | "kubernetes" | "seed">;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly store: Store;
  readonly hub: EventHub;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A cluster on the page: how it stands, or why that cannot be told. */
export type ShownCluster = Omit<ClusterSummary, "assessments"> &
  Partial<Pick<ClusterSummary, "assessments">>;

/** Continuous validation inside the control plane: one loop for each cluster of the configuration. */
export class ValidationService implements ValidationPort {
  readonly routes: readonly Route[];
  readonly #options: ValidationServiceOptions;
  readonly #history: History;
  readonly #secret: string;
  #keepers: readonly ClusterKeeper[] = [];
  #starting: Promise<unknown> | undefined;

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
      command: [process.execPath, ownProgram()] as const,
      // Two lives of one process must not be taken for each other.
      holder: `${hostname()}/${process.pid}/${randomSeed()}`,
      ownUrl: url,
      clock,
      log,
    };
    this.#keepers = config.validation.clusters.map((entry) => new ClusterKeeper(entry, options));
    this.#starting = Promise.all(this.#keepers.map((keeper) => keeper.start()));
  }

  /** Every cluster as the page shows it. */
  async clusters(): Promise<readonly ShownCluster[]> {
    return await Promise.all(this.#keepers.map((keeper) => this.#shown(keeper)));
  }

  async view(): Promise<ValidationView> {
    const clusters = await this.clusters();
    const { enabled } = this.#options.config.validation;
    return { enabled, clusters: clusters.map(({ view }) => view) };
  }

  /** Ends all loops. Stopping twice is stopping once. */
  async stop(): Promise<void> {
    await this.#starting;
    await Promise.all(this.#keepers.map((keeper) => keeper.stop()));
    this.#keepers = [];
  }

  async #shown(keeper: ClusterKeeper): Promise<ShownCluster> {
    const summary = await keeper.summary();
    return summary ?? { view: this.#emptyView(keeper) };
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
        share: null,
      },
      gpuHours: { today: 0, perDay: null },
      inFlight: { count: 0, max: 0, runs: [] },
      findings: [],
      troubles: [],
    };
  }
}
