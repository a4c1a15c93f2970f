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

const pattern = /^Tessera chaos experiment (\S+) until (\d{4}-[-\d:.T]+Z|\S+)(.*)$/s;

/** What slurmctld adds to a reason, since 23.02, when it gives up a node that does not answer. */
const silence = /^(?: : Not responding)*$/;

export function markText({ run, untilMs }: NodeMark): string {
  return `Tessera chaos experiment ${run} until ${new Date(untilMs).toISOString()}`;
}

/** The mark that a reason begins with, whatever somebody has added to it. */
export function leadingMark({ reason }: Pick<SlurmNode, "reason">): NodeMark | undefined {
  return read(reason)?.mark;
}

/** Undefined where the reason is not ours alone: somebody has added to it, and that was not only the silence. */
export function markOf({ reason }: Pick<SlurmNode, "reason">): NodeMark | undefined {
  const { mark, added = "" } = read(reason) ?? {};
  return silence.test(added) ? mark : undefined;
}

function read(reason: string) {
  const [, run, until, added] = pattern.exec(reason) ?? [];
  if (run === undefined || until === undefined) return undefined;
  const untilMs = Date.parse(until);
  return { mark: { run, untilMs: Number.isFinite(untilMs) ? untilMs : 0 }, added };
}
