import type {
  SlurmJob,
  SlurmNode,
  SlurmPartition,
  SlurmReservation,
} from "../../../../platform/slurm/index.ts";
import type { NotFreeCode, NotFreeReason } from "../../cluster.ts";
import { type Closure, closedToTests } from "../doors/closure.ts";
import type { ResolvedSlurmSettings } from "../settings.ts";
import { allocationReasons } from "./allocations.ts";
import { gpusIn } from "./gpus.ts";
import { stateReasons } from "./state-reasons.ts";

export interface FreeNodeInput {
  readonly node: SlurmNode;
  /** Jobs of users that hold it, or did not wholly let go of it. */
  readonly held: readonly SlurmJob[];
  /** Jobs of users that the scheduler means to start on it. */
  readonly planned: readonly SlurmJob[];
  /** Jobs of ours that are made for it and have not ended. */
  readonly own: readonly SlurmJob[];
  /** Reservations of others that it is part of. */
  readonly reservations: readonly SlurmReservation[];
  readonly closure: Closure;
  /** Why it could not be opened for its test a while ago; undefined when it could, or may be tried. */
  readonly trouble: string | undefined;
  /** Where our jobs go; undefined when there is no such partition. */
  readonly partition: SlurmPartition | undefined;
  readonly settings: ResolvedSlurmSettings;
  readonly excluded: ReadonlySet<string>;
  readonly nowMs: number;
}

/** Every reason why a job cannot be started on a node now; none when it is free. */
export function whyNotFree(input: FreeNodeInput): readonly NotFreeReason[] {
  return [
    ...aboutChoice(input),
    ...stateReasons(input),
    ...aboutDoor(input),
    ...aboutGpus(input),
    ...allocationReasons(input),
    ...aboutReservations(input),
    ...aboutPlans(input),
  ];
}

function aboutChoice({ node, excluded, partition, settings }: FreeNodeInput): NotFreeReason[] {
  const reasons: NotFreeReason[] = [];
  if (excluded.has(node.name)) reasons.push(because("excluded", "the configuration excludes it"));
  if (partition === undefined) {
    const name = settings.partition ?? "that jobs go to by default";
    return [...reasons, because("not-ready", `there is no partition ${name}`)];
  }
  if (!node.partitions.includes(partition.name)) {
    reasons.push(because("excluded", `it is not in partition ${partition.name}, where jobs go`));
  }
  if (partition.state !== "UP") {
    reasons.push(because("not-ready", `partition ${partition.name} is ${partition.state}`));
  }
  return reasons;
}

/** To test a node that we closed, its drain has to be lifted and a reservation made. */
function aboutDoor({ closure, trouble, settings }: FreeNodeInput): NotFreeReason[] {
  if (closure.by !== "ours") return [];
  if (settings.actMode !== "on") return [because("excluded", closedToTests[settings.actMode])];
  return trouble === undefined ? [] : [because("not-ready", `${trouble}; it is tried again later`)];
}

function aboutGpus({ node, settings: { gres } }: FreeNodeInput): NotFreeReason[] {
  return gres === null || gpusIn(node.gres, gres) > 0
    ? []
    : [because("no-gpu", `it has no ${gres}`)];
}

/** A reservation that begins before a run would have ended would find the node in use. */
function aboutReservations(input: FreeNodeInput): NotFreeReason[] {
  const { reservations, nowMs, settings, closure, node } = input;
  const untilMs = nowMs + settings.runTimeoutMs + settings.graceMs;
  const near = reservations.filter(
    ({ startAtMs, endAtMs }) => startAtMs <= untilMs && (endAtMs === undefined || endAtMs > nowMs),
  );
  const reasons = near.map(({ name, startAtMs }) => {
    const when = startAtMs <= nowMs ? "" : ` from ${new Date(startAtMs).toISOString()}`;
    return because("reserved", `reservation ${name} has it${when}`);
  });
  const byUnseen =
    reasons.length === 0 && !closure.reserved && node.flags.some((flag) => reservedFlags.has(flag));
  return byUnseen ? [because("reserved", "it is reserved, for whom is not told")] : reasons;
}

const reservedFlags: ReadonlySet<string> = new Set(["RESERVED", "MAINTENANCE"]);

function aboutPlans({ planned, own, node }: FreeNodeInput): NotFreeReason[] {
  const [job, ...more] = planned;
  if (job !== undefined) {
    const others = more.length === 0 ? "" : `, and ${more.length} more`;
    return [
      because("planned", `job ${job.id} of ${job.user} (${job.name}) is to start on it${others}`),
    ];
  }
  // The scheduler plans for ours too.
  if (!node.flags.includes("PLANNED") || own.length > 0) return [];
  return [because("planned", "the scheduler keeps it for a job that waits")];
}

function because(code: NotFreeCode, text: string): NotFreeReason {
  return { code, text };
}
