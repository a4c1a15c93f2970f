import type { NodeEvent } from "../../history/history.ts";
import type { EndedRun } from "../planner.ts";

/** Something that happened, nodes and checks by name. */
export type Happening =
  | {
      readonly type: "free" | "busy" | "repair" | "returned";
      readonly atMs: number;
      readonly node: string;
    }
  | { readonly type: "kernel"; readonly atMs: number; readonly node: string; readonly xid: number }
  | {
      readonly type: "crash";
      readonly atMs: number;
      readonly job: string;
      readonly nodes: string[];
    }
  | { readonly type: "run"; readonly atMs: number; readonly run: EndedRun };

/** What is kept to learn from; the oldest goes first. */
const happeningsMax = 200_000;

/** Everything a policy may learn from, so that it can be told again when the fleet has changed. */
export class Memory {
  #happenings: Happening[] = [];

  /** By time; what came at the same time in the order it was told. */
  inOrder(): readonly Happening[] {
    this.#happenings.sort((a, b) => a.atMs - b.atMs);
    return this.#happenings;
  }

  add(happenings: readonly Happening[]): void {
    for (const one of happenings) this.#happenings.push(one);
    if (this.#happenings.length <= 1.25 * happeningsMax) return;
    this.#happenings = this.inOrder().slice(-happeningsMax);
  }
}

/** What events of nodes tell a policy. Crashes of one job at one time are one crash. */
export function happeningsOf(events: readonly NodeEvent[]): readonly Happening[] {
  const crashes = new Map<string, string[]>();
  return events.flatMap(({ kind, atMs, node, details }): Happening[] => {
    if (kind === "free" || kind === "busy" || kind === "repair")
      return [{ type: kind, atMs, node }];
    if (kind === "released") return [{ type: "returned", atMs, node }];
    if (kind === "kernel") {
      const xid = details["xid"];
      return typeof xid === "number" ? [{ type: "kernel", atMs, node, xid }] : [];
    }
    if (kind !== "crash") return [];
    const job = typeof details["job"] === "string" ? details["job"] : `unnamed on ${node}`;
    const key = JSON.stringify([atMs, job]);
    const others = crashes.get(key);
    if (others !== undefined) {
      if (!others.includes(node)) others.push(node);
      return [];
    }
    const nodes = [node];
    crashes.set(key, nodes);
    return [{ type: "crash", atMs, job, nodes }];
  });
}
