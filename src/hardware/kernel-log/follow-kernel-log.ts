import { stat } from "node:fs/promises";
import { type Clock, sleep } from "../../platform/time/index.ts";
import { DeviceRecords } from "./device-records.ts";
import { FileRecords } from "./file-records.ts";
import { kernelLogError } from "./kernel-log-error.ts";
import { kernelLogKind } from "./kernel-log-kind.ts";
import type { KernelRecord } from "./kmsg-record.ts";

export interface FollowKernelLogOptions {
  /** The kernel's log, or a plain file in its record format. */
  readonly path: string;
  readonly clock: Clock;
  /** Ends the iteration, without an error. */
  readonly signal: AbortSignal;
  /** `start`: what the log still holds comes first; `now`: only what is new. */
  readonly from: "now" | "start";
  /** How often the log is looked at. @default 100 */
  readonly pollMs?: number;
  /** Told how many records were overwritten, or unreadable, before they were read. */
  readonly onLost?: (records: number) => void;
  /** Told each time that everything there was has been handed out. */
  readonly onIdle?: () => void;
}

/** Records of an open log, a bounded number at a time. */
export interface RecordSource {
  /** What came since the last call, up to some bound; empty when there is nothing more for now. */
  next(): Promise<readonly KernelRecord[]>;
  close(): Promise<void>;
}

const pollMsDefault = 100;

/**
 * The records of a kernel log as they come. Goes on when records were overwritten, and when a file
 * was cut short or another took its name. A record that is not whole yet is waited for.
 *
 * @throws TesseraError E_HW_KERNEL_LOG when the log is not there or cannot be read.
 */
export async function* followKernelLog(
  options: FollowKernelLogOptions,
): AsyncGenerator<KernelRecord, void, void> {
  const { path, clock, signal, from, pollMs = pollMsDefault, onIdle } = options;
  if (signal.aborted) return;
  const source = await openSource(options);
  try {
    if (from === "now") await skip(source, signal);
    while (!signal.aborted) {
      const records = await source.next();
      for (const record of records) {
        yield record;
        if (signal.aborted) return;
      }
      if (records.length > 0) continue;
      onIdle?.();
      await sleep(clock, pollMs, signal).catch(() => {});
    }
  } catch (error) {
    throw kernelLogError(path, error);
  } finally {
    await source.close();
  }
}

async function openSource({
  path,
  from,
  onLost = () => {},
}: FollowKernelLogOptions): Promise<RecordSource> {
  try {
    const kind = kernelLogKind(await stat(path));
    if (typeof kind === "object") throw kernelLogError(path, kind.problem);
    if (kind === "device") return await DeviceRecords.open(path, onLost);
    return await FileRecords.open(path, { from, onLost });
  } catch (error) {
    throw kernelLogError(path, error);
  }
}

/** The device cannot be told to begin at its end; a file begins there by itself. */
async function skip(source: RecordSource, signal: AbortSignal): Promise<void> {
  if (!(source instanceof DeviceRecords)) return;
  while (!signal.aborted && (await source.next()).length > 0);
}
