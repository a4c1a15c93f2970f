import { Semaphore } from "../../../platform/concurrency/index.ts";
import {
  isNotFound,
  listAll,
  resourceTypes,
  updateWithRetry,
} from "../../../platform/kube/index.ts";
import type { NodeObject } from "../../objects/index.ts";
import {
  type BreakerSettings,
  type BreakerState,
  type BreakerStatus,
  checkBreaker,
  closedBreaker,
  countCordon,
} from "./breaker.ts";
import { loadBreakerStatus, saveBreakerStatus } from "./breaker-store.ts";
import type { HealthEvent } from "./health-event.ts";
import { nvSentinelNames } from "./names.ts";
import {
  afterManualUncordon,
  isGpuNode,
  type QuarantineOutcome,
  type QuarantineStatus,
  quarantineDecision,
} from "./quarantine.ts";
import type { SimulatorPorts } from "./simulator-options.ts";

/** fault-quarantine on a cluster: one event after the other, each behind the breaker. */
export class QuarantineDriver {
  readonly #ports: SimulatorPorts;
  readonly #settings: BreakerSettings;
  readonly #turn = new Semaphore({ permits: 1 });
  #breaker: BreakerState | undefined;

  constructor(ports: SimulatorPorts, settings: BreakerSettings) {
    this.#ports = ports;
    this.#settings = settings;
  }

  /** @returns what it wrote beside the event; undefined: nothing, or the breaker has tripped. */
  handle(event: HealthEvent): Promise<QuarantineStatus | undefined> {
    return this.#turn.run(() => this.#handle(event));
  }

  /** What the breaker says, as of the last event. */
  async breakerStatus(): Promise<BreakerStatus> {
    return (await this.#loadedBreaker()).status;
  }

  /** Cancels what belongs to nodes that somebody opened by hand. @returns their names */
  async sweep(nodes: readonly NodeObject[]): Promise<readonly string[]> {
    const opened = nodes.filter((node) => afterManualUncordon(node) !== undefined);
    const names = opened.map(({ metadata }) => metadata.name ?? "");
    for (const name of names)
      await this.#turn.run(() => this.#update(name, (node) => afterManualUncordon(node)));
    return names;
  }

  async #handle(event: HealthEvent): Promise<QuarantineStatus | undefined> {
    const { clock } = this.#ports;
    if (await this.#isTripped()) return undefined;
    let outcome: QuarantineOutcome = { cordons: false };
    const found = await this.#update(event.nodeName, (node) => {
      outcome = quarantineDecision(node, event, clock.nowMs());
      return outcome.node;
    });
    if (!found) return undefined;
    if (outcome.cordons && this.#breaker !== undefined)
      this.#breaker = countCordon(this.#breaker, event.nodeName, clock.nowMs());
    return outcome.status;
  }

  async #isTripped(): Promise<boolean> {
    const before = await this.#loadedBreaker();
    if (before.status === "TRIPPED") return true;
    const nodes = await listGpuNodes(this.#ports);
    const nowMs = this.#ports.clock.nowMs();
    const settings = this.#settings;
    this.#breaker = checkBreaker(before, { gpuNodes: nodes.length, nowMs, settings });
    if (this.#breaker.status !== "TRIPPED") return false;
    this.#ports.log("the circuit breaker has tripped: no event is handled until it is reset");
    await saveBreakerStatus(this.#ports, "TRIPPED");
    return true;
  }

  async #loadedBreaker(): Promise<BreakerState> {
    this.#breaker ??= { ...closedBreaker, status: await loadBreakerStatus(this.#ports) };
    return this.#breaker;
  }

  /** @returns false when there is no such node */
  async #update(
    name: string,
    change: (node: NodeObject) => NodeObject | undefined,
  ): Promise<boolean> {
    const { client, clock, random } = this.#ports;
    const options = { clock, random, attemptsMax: 10 };
    try {
      await updateWithRetry<NodeObject>(client, resourceTypes.nodes, { name }, change, options);
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }
}

/** The nodes that NVSentinel sees. */
export async function listGpuNodes(ports: SimulatorPorts): Promise<readonly NodeObject[]> {
  const { items } = await listAll<NodeObject, NodeObject>(ports.client, resourceTypes.nodes, {
    labelSelector: `${nvSentinelNames.gpuLabel}=true`,
    itemsMax: 100_000,
    project: ({ metadata, spec }) => ({ metadata, ...(spec === undefined ? {} : { spec }) }),
  });
  return items.filter(isGpuNode);
}
