import type { Marks } from "../clusters/cluster.ts";
import { healthMarks } from "../clusters/health-marks.ts";
import type { NodeAction } from "./decision.ts";

type LabelAction = Extract<NodeAction, { readonly kind: "label" }>;

/** A sentence longer than this is cut: annotations of a node share 256 KiB. */
const reasonLengthMax = 1000;

/** What a node is marked with. */
export function marksOf(
  { verdict, reason }: LabelAction,
  nowMs: number,
): { readonly labels: Marks; readonly annotations: Marks } {
  return {
    labels: { [healthMarks.label]: verdict },
    annotations: {
      [healthMarks.reason]: reason.slice(0, reasonLengthMax),
      [healthMarks.since]: new Date(nowMs).toISOString(),
    },
  };
}

/** The labels a process has set: each is set again only when verdict or reason differ. */
export class LabelMemory {
  readonly #written = new Map<string, Pick<LabelAction, "verdict" | "reason">>();

  has({ node, verdict, reason }: LabelAction): boolean {
    const written = this.#written.get(node);
    return written?.verdict === verdict && written.reason === reason;
  }

  add({ node, verdict, reason }: LabelAction): void {
    this.#written.set(node, { verdict, reason });
  }

  /** Forgets the nodes that are not there any more. */
  keepOnly(nodes: ReadonlySet<string>): void {
    for (const node of this.#written.keys()) {
      if (!nodes.has(node)) this.#written.delete(node);
    }
  }
}
