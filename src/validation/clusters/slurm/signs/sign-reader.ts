import type { SlurmHistory, SlurmNode, SlurmNodeEvent } from "../../../../platform/slurm/index.ts";
import type { Sign } from "../../cluster.ts";
import type { SlurmIdentity } from "../names.ts";
import { put } from "../put.ts";
import { isCrash, jobSigns } from "./job-signs.ts";
import { eventSigns, type NodeTrace, nodeSigns } from "./node-signs.ts";
import { ChaosTimes, isTesserasJob } from "./our-traces.ts";

const knownMax = 50_000;

/** Signs from what Slurm keeps of ended jobs and of nodes; each is told once by one reader. */
export class SignReader {
  readonly #who: SlurmIdentity;
  readonly #known = new Set<string>();
  #nodes: readonly SlurmNode[] = [];
  #traces = new Map<string, NodeTrace>();
  /** Whether accounting tells what befell nodes. */
  #accounted = false;

  constructor(who: SlurmIdentity) {
    this.#who = who;
  }

  /** Takes note of a look at the nodes, with or without any history; returns what is new. */
  readNodes(nodes: readonly SlurmNode[], nowMs: number): readonly Sign[] {
    const traces = new Map<string, NodeTrace>();
    const about = { accounted: this.#accounted, cluster: this.#who.cluster, nowMs };
    const signs = nodes.flatMap((node) => {
      const told = nodeSigns(this.#traces.get(node.name), node, about);
      traces.set(node.name, told.trace);
      return told.signs;
    });
    this.#nodes = nodes;
    this.#traces = traces;
    return signs.filter((sign) => this.#isNew(JSON.stringify(sign)));
  }

  /** Takes note of a history, which is of the nodes that were last seen; returns what is new. */
  readHistory(history: SlurmHistory): readonly Sign[] {
    this.#accounted = history.source === "accounting";
    const events = new Map<string, SlurmNodeEvent[]>();
    for (const event of history.nodeEvents) put(events, event.node, event);
    const fromEvents = [...this.#traces].flatMap(([name, before]) => {
      const { signs, trace } = eventSigns(before, events.get(name) ?? [], this.#who.cluster);
      this.#traces.set(name, trace);
      return signs;
    });
    const chaos = new ChaosTimes(history.nodeEvents, this.#nodes);
    // A job is known by its number and end: by its nodes, one large job would push out all others.
    const crashes = history.jobs.filter(
      (end) =>
        isCrash(end) &&
        !isTesserasJob(end, this.#who.user) &&
        !chaos.took(end) &&
        this.#isNew(`${end.id} ${end.endedAtMs}`),
    );
    const news = fromEvents.filter((sign) => this.#isNew(JSON.stringify(sign)));
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
