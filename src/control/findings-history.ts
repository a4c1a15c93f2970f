import type { DoctorHistoryView, FindingView } from "../platform/http/index.ts";
import { type FindingRecord, findings, type Store } from "../platform/store/index.ts";

/** One change of what the machine can do. */
export interface Change {
  readonly title: string;
  readonly from: FindingView["state"];
  readonly to: FindingView["state"];
  readonly atMs: number;
}

/** How long the disk took to make a small write durable, as one doctor run measured it. */
export interface SyncSample {
  readonly atMs: number;
  readonly medianMs: number;
  readonly worstMs: number;
}

const recordsPerProbe = 100;
const changesMax = 50;

/** What earlier doctor runs left in the store, as far as the API shows it. */
export async function loadHistory(
  store: Store,
  current: readonly Pick<FindingView, "probe" | "title">[],
): Promise<DoctorHistoryView> {
  const changes: Change[] = [];
  let diskSync: readonly SyncSample[] = [];
  for (const { probe, title } of current) {
    const records = (await findings.history(store.db, probe, recordsPerProbe)).toReversed();
    changes.push(...changesIn(records, title));
    if (probe === "store") diskSync = syncSamples(records);
  }
  const newestFirst = changes.toSorted((one, other) => other.atMs - one.atMs);
  return {
    changes: newestFirst.slice(0, changesMax).map(withIsoTime),
    diskSync: diskSync.map(withIsoTime),
    provenance: "measured",
  };
}

function withIsoTime<T extends { readonly atMs: number }>({ atMs, ...rest }: T) {
  return { ...rest, at: new Date(atMs).toISOString() };
}

/** Where the state differs from the one before; records come oldest first. */
export function changesIn(
  records: readonly Pick<FindingRecord, "state" | "atMs">[],
  title: string,
): Change[] {
  return records.flatMap(({ state, atMs }, at) => {
    const before = records[at - 1]?.state ?? state;
    return before === state ? [] : [{ title, from: before, to: state, atMs }];
  });
}

/** The disk's speed as far as the store's probe measured it. */
export function syncSamples(
  records: readonly Pick<FindingRecord, "evidence" | "atMs">[],
): SyncSample[] {
  return records.flatMap(({ evidence, atMs }) => {
    const sync = evidence?.["diskSync"];
    if (typeof sync !== "object" || sync === null) return [];
    const { medianMs, worstMs } = sync as Record<string, unknown>;
    return typeof medianMs === "number" && typeof worstMs === "number"
      ? [{ atMs, medianMs, worstMs }]
      : [];
  });
}
