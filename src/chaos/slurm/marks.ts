import type { SlurmJob, SlurmNode } from "../../platform/slurm/index.ts";

/** In the comment of a job: it may be broken. The same words as the label of a namespace in Kubernetes. */
export const optInMark = "tessera.dev/chaos=allowed";

export function isAllowed({ comment }: Pick<SlurmJob, "comment">): boolean {
  return comment.split(/[\s,;]+/).includes(optInMark);
}

/** What we write as the reason of a node, so that any later run can take back what a dead one left. */
export interface NodeMark {
  readonly run: string;
  /** Milliseconds since the Unix epoch: after that anybody may take the fault back. */
  readonly untilMs: number;
}

const pattern = /^Tessera chaos experiment (\S+) until (\S+)$/;

export function markText({ run, untilMs }: NodeMark): string {
  return `Tessera chaos experiment ${run} until ${new Date(untilMs).toISOString()}`;
}

/** Undefined where the reason is not ours, also where somebody has added to it. */
export function markOf({ reason }: Pick<SlurmNode, "reason">): NodeMark | undefined {
  const [, run, until] = pattern.exec(reason) ?? [];
  if (run === undefined || until === undefined) return undefined;
  const untilMs = Date.parse(until);
  return { run, untilMs: Number.isFinite(untilMs) ? untilMs : 0 };
}
