import {
  type CauseSign,
  type FailureModel,
  type Incident,
  nodesHit,
} from "../../failure-model/index.ts";
import type { EventKind, SimEngine } from "../engine/index.ts";
import type { FailureFeed } from "./failure-feed.ts";
import type { NodePool } from "./node-pool.ts";
import type { SlowNodes } from "./slow-nodes.ts";

/** What the machines tell the job. */
export interface FleetListener {
  /** Nodes of the job are gone, or its program ended. */
  lost(loss: Loss): void;
  /** A node is well again. */
  nodeBack(): void;
  /** Somebody wants the job to stop in good order. */
  asked(): void;
  /** How fast nodes are changes with this call. */
  paceChanges(change: () => void): void;
}

export interface Loss {
  /** Index in the causes of the model; -1: one it does not name. */
  readonly cause: number;
  readonly sign: CauseSign;
  /** Replicas that it hit; null: the program, wherever it ran. */
  readonly replicas: ReadonlySet<number> | null;
  /** Silent: since when results were wrong. */
  readonly wrongSinceUs: number | null;
}

const minuteUs = 60_000_000;

export interface FleetWorldParts {
  readonly engine: SimEngine;
  readonly model: FailureModel;
  readonly feed: FailureFeed;
  readonly pool: NodePool;
  readonly slow: SlowNodes;
  readonly job: FleetListener;
}

/** The machines: each breaks, is repaired, is slow now and then, whatever the job does. */
export class FleetWorld {
  readonly #parts: FleetWorldParts;
  readonly #noticedAfterUs: number;
  readonly #incidents = new Map<number, Incident>();
  readonly #unnoticed = new Map<number, Incident>();
  readonly #slowdowns = new Map<number, { readonly factor: number; readonly durationUs: number }>();
  #softwareCause = -1;
  readonly #kinds: Readonly<
    Record<
      "incident" | "repaired" | "noticed" | "slow" | "fast" | "software" | "planned",
      EventKind
    >
  >;

  constructor(parts: FleetWorldParts) {
    const { engine, model, job } = parts;
    this.#parts = parts;
    this.#noticedAfterUs = Math.round(model.sdc.noticedAfterMinutes.value * minuteUs);
    this.#kinds = {
      incident: engine.kind("fleet incident", (node) => this.#onIncident(node)),
      repaired: engine.kind("fleet repaired", (node) => this.#onRepaired(node)),
      noticed: engine.kind("fleet noticed", (node) => this.#onNoticed(node)),
      slow: engine.kind("fleet slow", (node) => this.#onSlow(node)),
      fast: engine.kind("fleet fast", (node) => this.#onFast(node)),
      software: engine.kind("fleet software", () => this.#onSoftware()),
      planned: engine.kind("fleet planned", () => {
        job.asked();
        this.#askPlanned();
      }),
    };
  }

  /** Asks for the first of everything. */
  begin(): void {
    for (let node = 0; node < this.#parts.pool.nodes; node++) {
      this.#askIncident(node, 0);
      this.#askSlow(node);
    }
    this.#askSoftware();
    this.#askPlanned();
  }

  #askIncident(node: number, fromUs: number): void {
    const incident = this.#parts.feed.incident(node, fromUs);
    if (incident === null) return;
    this.#incidents.set(node, incident);
    this.#parts.engine.at(incident.atUs, this.#kinds.incident, node);
  }

  #onIncident(node: number): void {
    const { engine, model, pool } = this.#parts;
    const incident = this.#incidents.get(node) as Incident;
    const downUntilUs = pool.downUntilUs(node);
    if (downUntilUs > engine.nowUs) {
      // What is switched off does not break.
      this.#askIncident(node, downUntilUs);
      return;
    }
    const sign = model.causes[incident.cause]?.sign ?? "crash";
    if (sign !== "silent") {
      this.#strike(incident, { sign, wrongSinceUs: null });
    } else if (pool.replicaOf(node) === null || this.#unnoticed.has(node)) {
      this.#askIncident(node, engine.nowUs);
    } else {
      this.#unnoticed.set(node, incident);
      engine.after(this.#noticedAfterUs, this.#kinds.noticed, node);
    }
  }

  /** Somebody compared. The job may have moved away from the node meanwhile; what it made is wrong all the same. */
  #onNoticed(node: number): void {
    const incident = this.#unnoticed.get(node) as Incident;
    this.#unnoticed.delete(node);
    this.#strike(incident, { sign: "silent", wrongSinceUs: incident.atUs });
  }

  #strike(incident: Incident, how: Pick<Loss, "sign" | "wrongSinceUs">): void {
    const { engine, model, pool, job } = this.#parts;
    const { node, repairUs, cause } = incident;
    const replicas = new Set<number>();
    for (const hit of nodesHit(model, pool.nodes, incident)) {
      const replica = pool.replicaOf(hit);
      // A node that is out already is not lost once more.
      if (replica !== null && pool.downUntilUs(hit) <= engine.nowUs) replicas.add(replica);
      if (repairUs > 0 && pool.takeOut(hit, engine.nowUs + repairUs)) {
        engine.after(repairUs, this.#kinds.repaired, hit);
      }
    }
    this.#askIncident(node, engine.nowUs + repairUs);
    if (how.wrongSinceUs !== null) job.lost({ cause, ...how, replicas: null });
    else if (replicas.size > 0) job.lost({ cause, ...how, replicas });
  }

  #onRepaired(node: number): void {
    const { engine, pool, job } = this.#parts;
    if (pool.downUntilUs(node) > engine.nowUs) return;
    pool.bringBack(node);
    job.nodeBack();
  }

  #askSlow(node: number): void {
    const { engine, feed } = this.#parts;
    const next = feed.straggling(node, engine.nowUs);
    if (next === null) return;
    this.#slowdowns.set(node, { factor: next.slowdown, durationUs: next.durationUs });
    engine.at(next.atUs, this.#kinds.slow, node);
  }

  #onSlow(node: number): void {
    const { engine, job, slow } = this.#parts;
    const slowdown = this.#slowdowns.get(node);
    if (slowdown === undefined) return;
    job.paceChanges(() => slow.begin(node, slowdown.factor));
    engine.after(slowdown.durationUs, this.#kinds.fast, node);
  }

  #onFast(node: number): void {
    const { job, slow } = this.#parts;
    job.paceChanges(() => slow.end(node));
    this.#askSlow(node);
  }

  #askSoftware(): void {
    const { engine, feed } = this.#parts;
    const stop = feed.softwareStop(engine.nowUs);
    if (stop === null) return;
    this.#softwareCause = stop.cause;
    engine.at(stop.atUs, this.#kinds.software);
  }

  #onSoftware(): void {
    const cause = this.#softwareCause;
    this.#parts.job.lost({ cause, sign: "crash", replicas: null, wrongSinceUs: null });
    this.#askSoftware();
  }

  #askPlanned(): void {
    const { engine, feed } = this.#parts;
    const stop = feed.plannedStop(engine.nowUs);
    if (stop !== null) engine.at(stop.atUs, this.#kinds.planned);
  }
}
