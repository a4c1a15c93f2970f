import type { SlurmHistory, SlurmNode, SlurmNodeEvent } from "../../../../platform/slurm/index.ts";
import type { Sign } from "../../cluster.ts";
import type { SlurmIdentity } from "../names.ts";
import { put } from "../put.ts";
import { isCrash, jobSigns } from "./job-signs.ts";
import { type NodeTrace, nodeSigns } from "./node-signs.ts";
import { ChaosTimes, isTesserasJob } from "./our-traces.ts";

/** What happened while nobody looked is told of for so long; whoever records signs knows repeats. */
const firstLookMs = 24 * 3_600_000;
/** Ends come on record late, so the last look's time is looked at again. */
const overlapMs = 5 * 60_000;
const knownMax = 50_000;

/** Signs from what Slurm keeps of ended jobs and of nodes; each is told once by one reader. */
export class SignReader {
  readonly #who: SlurmIdentity;
  readonly #known = new Set<string>();
  #traces = new Map<string, NodeTrace>();
  #lookedMs: number | undefined;

  constructor(who: SlurmIdentity) {
    this.#who = who;
  }

  /** From when on history has to be asked for. */
  sinceMs(nowMs: number): number {
    return this.#lookedMs === undefined ? nowMs - firstLookMs : this.#lookedMs - overlapMs;
  }

  /** Takes note of a look; returns what is new. */
  read(history: SlurmHistory, nodes: readonly SlurmNode[], nowMs: number): readonly Sign[] {
    this.#lookedMs = nowMs;
    const accounted = history.source === "accounting";
    const events = new Map<string, SlurmNodeEvent[]>();
    for (const event of history.nodeEvents) put(events, event.node, event);
    const traces = new Map<string, NodeTrace>();
    const fromNodes = nodes.flatMap((node) => {
      const { signs, trace } = nodeSigns(this.#traces.get(node.name), node, {
        events: events.get(node.name) ?? [],
        accounted,
        cluster: this.#who.cluster,
        nowMs,
      });
      traces.set(node.name, trace);
      return signs;
    });
    this.#traces = traces;
    const chaos = new ChaosTimes(history.nodeEvents, nodes);
    // A job is known by its number and end: by its nodes, one large job would push out all others.
    const crashes = history.jobs.filter(
      (end) =>
        isCrash(end) &&
        !isTesserasJob(end, this.#who.user) &&
        !chaos.took(end) &&
        this.#isNew(`${end.id} ${end.endedAtMs}`),
    );
    const news = fromNodes.filter((sign) => this.#isNew(JSON.stringify(sign)));
    return [...jobSigns(crashes), ...news];
  }

  #isNew(key: string): boolean {
    if (this.#known.has(key)) return false;
    if (this.#known.size >= knownMax) {
      const [oldest] = this.#known;
      if (oldest !== undefined) this.#known.delete(oldest);
    }
    this.#known.add(key);
    return true;
  }
}
