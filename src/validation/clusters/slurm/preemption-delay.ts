import type { SlurmPartition, SlurmQos } from "../../../platform/slurm/index.ts";

const killWaitMsDefault = 30_000;
const schedulerTurnMsDefault = 60_000;
/** The controller looks only so often whether a grace is over. */
const graceLookMs = 30_000;

/** How long a user's job may wait for one of ours, by what it waits for. */
export interface PreemptionDelay {
  /** How long ours must have run before it may be ended. */
  readonly exemptMs: number;
  readonly graceMs: number;
  /** Until the controller notices that the grace is over. */
  readonly graceLookMs: number;
  readonly killWaitMs: number;
  readonly schedulerTurnMs: number;
}

/**
 * The longest delay that the settings allow, Epilog aside. A QOS's times come before those of the cluster
 * and, where the QOS decides what is preempted, of the partition.
 */
export function preemptionDelay({
  settings,
  partition,
  qos,
}: {
  readonly settings: Readonly<Record<string, string>>;
  readonly partition: SlurmPartition;
  readonly qos: SlurmQos | undefined;
}): PreemptionDelay {
  const byQos = (settings["preempttype"] ?? "").endsWith("/qos");
  const graceMs = (byQos ? qos?.graceMs : partition.graceMs) ?? 0;
  const turn = /\bsched_interval=(\d+)/.exec(settings["schedulerparameters"] ?? "")?.[1];
  return {
    exemptMs: qos?.exemptMs ?? clockMs(settings["preemptexempttime"]) ?? 0,
    graceMs,
    graceLookMs: graceMs > 0 ? graceLookMs : 0,
    killWaitMs: clockMs(settings["killwait"]) ?? killWaitMsDefault,
    schedulerTurnMs: turn === undefined ? schedulerTurnMsDefault : Number(turn) * 1000,
  };
}

/** `30 sec`, `00:05:00`, `1-00:00:00`; a time without end does not exist here, and means none. */
function clockMs(text = ""): number | undefined {
  const seconds = /^(\d+) sec/.exec(text)?.[1];
  if (seconds !== undefined) return Number(seconds) * 1000;
  const [, days = "0", ...clock] = /^(?:(\d+)-)?(\d+):(\d{2}):(\d{2})$/.exec(text) ?? [];
  if (clock.length === 0) return undefined;
  const [hours = 0, minutes = 0, rest = 0] = clock.map(Number);
  return (((Number(days) * 24 + hours) * 60 + minutes) * 60 + rest) * 1000;
}
