import type { SlurmJob, SlurmNode } from "../../platform/slurm/index.ts";
import type { SlurmView } from "./job-watch.ts";
import { isAllowed } from "./marks.ts";
import { holdsNodes, jobText } from "./pick-job.ts";

const sound: ReadonlySet<string> = new Set(["IDLE", "MIXED", "ALLOCATED", "COMPLETING"]);
const closed: readonly string[] = [
  "DRAIN",
  "FAIL",
  "MAINTENANCE",
  "NOT_RESPONDING",
  "POWER_DOWN",
  "POWERED_DOWN",
  "POWERING_DOWN",
];

/** A boot that was asked for is somebody's, too, also one that waits until the node is idle. */
export function isToBoot({ flags }: Pick<SlurmNode, "flags">): boolean {
  return flags.some(isOfBoot);
}

function isOfBoot(flag: string): boolean {
  return flag.startsWith("REBOOT_");
}

/** The node of a name, as it is. @throws Error where Slurm has none */
export function nodeOf({ nodes }: Pick<SlurmView, "nodes">, name: string): SlurmNode {
  const node = nodes.find((one) => one.name === name);
  if (node === undefined) throw new Error(`there is no node ${name}`);
  return node;
}

/** A node that somebody or something has closed is theirs: it is neither broken nor brought back. */
export function refuseClosed({ name, state, flags, reason, reasonBy }: SlurmNode): void {
  const flag = closed.find((one) => flags.includes(one)) ?? flags.find(isOfBoot);
  if (sound.has(state) && flag === undefined) return;
  const by = reasonBy === "" ? "" : ` by ${reasonBy}`;
  const why = reason === "" ? "" : `: ${reason}`;
  const how = [state, ...(flag === undefined ? [] : [flag])].join("+");
  throw new Error(`node ${name} is ${how} already${by}${why}`);
}

/** Whoever else works on a node would be hit with it, unless they allow it too. */
export function refuseOthers({ jobs, job }: SlurmView, name: string): void {
  const others = othersOn(jobs, name, job);
  const [first] = others;
  if (first === undefined) return;
  const more = others.length === 1 ? "" : ` and ${others.length - 1} more`;
  throw new Error(
    `${jobText(first)} of ${first.user}${more} on node ${name} would be hit too, and does not allow it`,
  );
}

export function othersOn(
  jobs: readonly SlurmJob[],
  node: string,
  own: Pick<SlurmJob, "id"> | undefined,
): readonly SlurmJob[] {
  return jobs.filter(
    (job) => job.id !== own?.id && holdsNodes(job) && job.nodes.includes(node) && !isAllowed(job),
  );
}
