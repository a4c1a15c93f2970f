import type { KubeClient } from "../../../platform/kube/index.ts";
import type { Logger } from "../../../platform/log/index.ts";
import { type Clock, retry } from "../../../platform/time/index.ts";
import { sightingsOn } from "../../detectors/index.ts";
import {
  type HardwareFault,
  isLive,
  type NodeObject,
  type NodeUndo,
  type XidAction,
} from "../../objects/index.ts";
import { causeOf, takeBack } from "../../undo/index.ts";

export interface LateReactionsOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: { float(): number };
  readonly log: Pick<Logger, "info" | "warn">;
}

interface Kept {
  readonly fault: HardwareFault;
  readonly action: XidAction;
  readonly undo: NodeUndo;
  readonly untilMs: number;
  /** How often its node was put back since its end. */
  times: number;
}

/** NVSentinel reads the kernel log every 15 s, and takes a while to act on what it has read. */
const keptForMs = 45_000;
const keptMax = 256;
/** More often than this somebody insists on it. */
const timesMax = 32;

/**
 * Puts nodes back again on which NVSentinel reacts to a line of a fault that is over by then: it looks
 * at the log only now and then, and nobody else would undo what it does so late. What is over is not
 * written to any more; the log tells of it.
 */
export class LateReactions {
  readonly #options: LateReactionsOptions;
  readonly #kept = new Map<string, Kept>();
  /** Nodes that a fault not yet over puts back itself. */
  #taken: ReadonlySet<string> = new Set();
  readonly #busy = new Map<string, Promise<void>>();
  /** As nodes were last seen while they were put back. */
  readonly #again = new Map<string, NodeObject>();
  readonly #stopping = new AbortController();

  constructor(options: LateReactionsOptions) {
    this.#options = options;
  }

  /** Tells it of all faults there are; one that is deleted afterwards is still looked after. */
  follow(faults: readonly HardwareFault[]): void {
    const nowMs = this.#options.clock.nowMs();
    for (const [name, { untilMs }] of this.#kept) if (untilMs <= nowMs) this.#kept.delete(name);
    for (const fault of faults) {
      const { name = "" } = fault.metadata;
      const kept = this.#kept.has(name) ? undefined : keptOf(fault, nowMs);
      if (kept !== undefined && kept.untilMs > nowMs) this.#kept.set(name, kept);
    }
    const tooMany = Math.max(0, this.#kept.size - keptMax);
    for (const name of [...this.#kept.keys()].slice(0, tooMany)) this.#kept.delete(name);
    this.#taken = new Set(faults.filter(isLive).flatMap(nodesToPutBack));
  }

  /** Their nodes, to be looked at when the faults have changed. */
  get nodes(): ReadonlySet<string> {
    return new Set([...this.#kept.values()].map(({ undo }) => undo.node));
  }

  /** When the last one need not be watched any more; undefined: there is none. */
  get untilMs(): number | undefined {
    const ends = [...this.#kept.values()].map(({ untilMs }) => untilMs);
    return ends.length === 0 ? undefined : Math.max(...ends);
  }

  /** Looks at a node as it is now. */
  look(node: NodeObject): void {
    const { name = "" } = node.metadata;
    if (this.#busy.has(name)) {
      this.#again.set(name, node);
      return;
    }
    const due = [...this.#kept.values()].filter((kept) => this.#isDue(kept, node));
    if (due.length === 0 || this.#stopping.signal.aborted) return;
    const work = this.#putBack(due).finally(() => {
      this.#busy.delete(name);
      const again = this.#again.get(name);
      this.#again.delete(name);
      if (again !== undefined) this.look(again);
    });
    this.#busy.set(name, work);
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error("the nodes are no longer watched"));
    await Promise.all(this.#busy.values());
  }

  #isDue({ action, undo, untilMs, times }: Kept, node: NodeObject): boolean {
    const { name = "" } = node.metadata;
    if (undo.node !== name || this.#taken.has(name) || times >= timesMax) return false;
    if (untilMs <= this.#options.clock.nowMs()) return false;
    const { correlationId, lines } = action;
    // Without an address only the correlation id counts: code and GPU may be real by now.
    return lines.some(({ xid }) =>
      sightingsOn(node, { correlationId, xid, pci: "" }).some(({ by }) => by === "nvsentinel"),
    );
  }

  async #putBack(due: readonly Kept[]): Promise<void> {
    const { client, clock, log, random } = this.#options;
    const { signal } = this.#stopping;
    for (const kept of due) {
      const { fault, undo } = kept;
      const about = { fault: fault.metadata.name, node: undo.node };
      kept.times++;
      const cause = causeOf(fault);
      const ports = {
        client,
        clock,
        signal,
        leaseUntilMs: Date.parse(fault.status?.leaseUntil ?? ""),
        ...(cause === undefined ? {} : { cause }),
      };
      try {
        const { left } = await retry(() => takeBack(undo, ports), { clock, rng: random, signal });
        log.info({ ...about, left }, "NVSentinel reacted to a fault after its end; taken back");
      } catch (err) {
        if (signal.aborted) return;
        log.warn({ ...about, err }, "what NVSentinel did after the end of a fault is still there");
      }
    }
  }
}

/** Undefined for a fault that is not over, or that no detector can have seen. */
function keptOf(fault: HardwareFault, nowMs: number): Kept | undefined {
  const { action } = fault.spec;
  const { history = [], undo = [] } = fault.status ?? {};
  const entry = undo.find((each) => each.kind === "node");
  if (action.kind !== "xid" || isLive(fault) || entry === undefined) return undefined;
  const overAtMs = Math.min(Date.parse(history.at(-1)?.at ?? ""), nowMs);
  if (Number.isNaN(overAtMs)) return undefined;
  return { fault, action, undo: entry, untilMs: overAtMs + keptForMs, times: 0 };
}

function nodesToPutBack({ status }: HardwareFault): readonly string[] {
  return (status?.undo ?? []).flatMap((entry) =>
    entry.kind === "node" && entry.doneAt === undefined ? [entry.node] : [],
  );
}
