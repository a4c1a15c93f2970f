/** One record of the kernel's log as the monitor sees it. */
export interface JournalRecord {
  /** Grows with every record of a boot. */
  readonly sequence: number;
  readonly text: string;
  /** Unix time. */
  readonly atMs: number;
}

/** What the monitor keeps in its state file. */
export interface MonitorState {
  /** The last record that it has read; absent: none yet. */
  readonly cursor?: number;
  /** Of its last poll; absent: it has never polled. */
  readonly bootId?: string;
}

export interface MonitorPoll {
  readonly state: MonitorState;
  /** What is new. */
  readonly records: readonly JournalRecord[];
  /** The machine was restarted since the last poll: every check is declared well first. */
  readonly rebooted: boolean;
}

/** After a restart lines older than this are not read. */
const bootLookbackMs = 7_200_000;

/**
 * One poll of the monitor. The very first one only looks where the log ends: every line before it
 * is lost. After a restart of the machine it reads from the boot on.
 */
export function pollMonitor(
  state: MonitorState,
  log: {
    /** All records of this boot, oldest first. */
    readonly records: readonly JournalRecord[];
    readonly bootId: string;
    readonly nowMs: number;
  },
): MonitorPoll {
  const { records, bootId, nowMs } = log;
  const last = records.at(-1)?.sequence;
  const rebooted = state.bootId !== undefined && state.bootId !== bootId;
  const seen = { bootId, ...(last === undefined ? {} : { cursor: last }) };
  if (rebooted) {
    const recent = records.filter(({ atMs }) => atMs >= nowMs - bootLookbackMs);
    return { state: seen, records: recent, rebooted };
  }
  const { cursor } = state;
  if (cursor === undefined) return { state: seen, records: [], rebooted };
  const fresh = records.filter(({ sequence }) => sequence > cursor);
  return { state: { bootId, cursor: Math.max(cursor, last ?? cursor) }, records: fresh, rebooted };
}
