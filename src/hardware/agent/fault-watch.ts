import { isTesseraError } from "../../platform/errors/index.ts";
import { createReflector, type Reflector } from "../../platform/kube/index.ts";
import {
  faultLabels,
  type HardwareFault,
  hardwareFaults,
  nodeLabelValue,
  nodeOf,
  parseHardwareFault,
} from "../objects/index.ts";
import type { AgentOptions } from "./agent-options.ts";

const syncTimeoutMs = 60_000;
const faultsMax = 20_000;

/**
 * The faults that concern a node: its own, and those on no node, which any agent takes back. Two
 * watches with selectors, so that a fault on one node of many wakes one agent, not all.
 */
export class FaultWatch {
  readonly #node: string;
  readonly #own: Reflector<HardwareFault | undefined>;
  readonly #nowhere: Reflector<HardwareFault | undefined>;

  constructor(
    options: Pick<AgentOptions, "client" | "clock" | "log" | "namespace" | "node" | "random">,
  ) {
    const { client, clock, log, namespace, node, random } = options;
    this.#node = node;
    const reflect = (labelSelector: string) =>
      createReflector<HardwareFault | undefined>({
        client,
        type: hardwareFaults,
        namespace,
        labelSelector,
        project: (object) => {
          try {
            return parseHardwareFault(object);
          } catch (err) {
            log.error({ err }, "a fault cannot be read");
            return undefined;
          }
        },
        itemsMax: faultsMax,
        clock,
        random,
        onFailure: (err) => log.warn({ err }, "the faults cannot be watched"),
      });
    this.#own = reflect(`${faultLabels.node}=${nodeLabelValue(node)}`);
    this.#nowhere = reflect(`${faultLabels.kind} in (passthrough,partition)`);
  }

  /** Every fault of this node and of none. */
  get faults(): readonly HardwareFault[] {
    const own = readable(this.#own).filter(({ spec }) => nodeOf(spec.action) === this.#node);
    const nowhere = readable(this.#nowhere).filter(({ spec }) => nodeOf(spec.action) === undefined);
    return [...own, ...nowhere];
  }

  /** Whether the view is what the API server says; else nobody knows what has ended. */
  get isLive(): boolean {
    return this.#both.every(({ freshness }) => freshness.state === "live");
  }

  /** Unix time of the API server's last sign; undefined before the first. */
  get lastContactMs(): number | undefined {
    const times = this.#both.map(({ freshness }) => freshness.syncedAtMs);
    const known = times.filter((time) => time !== undefined);
    return known.length < times.length ? undefined : Math.min(...known);
  }

  /** Begins, and waits for the first lists however long the API server is away. */
  async start(signal: AbortSignal): Promise<void> {
    for (const reflector of this.#both) reflector.start();
    for (const reflector of this.#both) await untilSynced(reflector, signal);
  }

  /** Calls back at every change. */
  onChange(listener: () => void): void {
    for (const reflector of this.#both) reflector.subscribe(() => listener());
  }

  async stop(): Promise<void> {
    await Promise.all(this.#both.map((reflector) => reflector.stop()));
  }

  get #both(): readonly Reflector<HardwareFault | undefined>[] {
    return [this.#own, this.#nowhere];
  }
}

async function untilSynced(
  reflector: Reflector<HardwareFault | undefined>,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    try {
      return await reflector.waitForSync({ timeoutMs: syncTimeoutMs, signal });
    } catch (error) {
      signal.throwIfAborted();
      if (!isTesseraError(error) || error.code !== "E_TIMEOUT") throw error;
    }
  }
}

/** One that somebody has damaged is left out: nothing is known of it that could be acted on. */
function readable(reflector: Reflector<HardwareFault | undefined>): readonly HardwareFault[] {
  return [...reflector.objects.values()].filter((fault) => fault !== undefined);
}
