import { messageOf } from "../../../platform/errors/index.ts";
import type { JsonObject } from "../../../platform/store/index.ts";
import type { Clock } from "../../../platform/time/index.ts";
import {
  type CounterChanges,
  counterChanges,
  createTelemetrySampler,
  type GpuCounters,
  type GpuTelemetry,
  normalizePciBusId,
  type TelemetrySampler,
  type XidEvent,
  type XidsRead,
  xidBlame,
} from "../../../runtime/cuda/telemetry/index.ts";
import type { DeviceReport, Progress } from "./device-report.ts";
import { describeDevice } from "./run-cases.ts";
import { caseTelemetry } from "./telemetry-facts.ts";

/** What the readings of a run come to. */
export interface DevicesTelemetry {
  readonly hardFacts: readonly string[];
  readonly facts: JsonObject;
}

/** What is read about GPUs from outside, while processes of their own compute on them. */
export interface DevicesWatch {
  /** Hears what a device process says, and reads its GPU at the right moments. */
  note(rank: number, progress: Progress): void;
  /** Reads everything once more and ends. */
  end(): Promise<DevicesTelemetry>;
  /** Ends without reading. Twice is once. */
  close(): void;
}

export interface DevicesWatchOptions {
  readonly clock: Clock;
  readonly telemetry: GpuTelemetry | { readonly reason: string };
  /** XIDs of the kernel log since the start; or why they cannot be read. */
  readonly readXids: () => Promise<Pick<XidsRead, "events"> | { readonly reason: string }>;
  /** Time between two readings of a GPU. @default 250 */
  readonly everyMs?: number;
}

/** For devices about which nothing is to be read. */
export const noWatch: DevicesWatch = {
  note: () => {},
  end: () => Promise.resolve({ hardFacts: [], facts: {} }),
  close: () => {},
};

type Device = DeviceReport["device"];

interface Watched {
  readonly device: Device;
  readonly uuid: string;
  readonly before: GpuCounters | undefined;
  readonly cases: Record<string, JsonObject>;
  current:
    | {
        readonly key: string;
        readonly sampler: TelemetrySampler;
        readonly before: GpuCounters | undefined;
      }
    | undefined;
}

/** Watches the GPUs of a run: clocks, power, heat and counters around each case, XIDs at the end. */
export function watchDevices(options: DevicesWatchOptions): DevicesWatch {
  const { clock, telemetry, readXids, everyMs = 250 } = options;
  const watched = new Map<number, Watched>();
  const open = "reason" in telemetry ? undefined : telemetry;
  const problems = new Set<string>("reason" in telemetry ? [telemetry.reason] : []);
  const counters = (uuid: string): GpuCounters | undefined => {
    try {
      return open?.counters({ uuid });
    } catch (error) {
      problems.add(messageOf(error));
      return undefined;
    }
  };
  const begin = (own: Watched, key: string) => {
    if (open === undefined) return;
    const { uuid } = own;
    const sampler = createTelemetrySampler({ telemetry: open, gpu: { uuid }, clock, everyMs });
    own.current = { key, sampler, before: counters(uuid) };
  };
  const finish = (own: Watched, round: number) => {
    const { current } = own;
    if (current === undefined) return;
    own.current = undefined;
    const summary = current.sampler.stop();
    if (summary.problem !== null) problems.add(summary.problem);
    // Rounds of a soak are like each other; the first stands for all.
    if (round > 0) return;
    const changes = changesOf(current.before, counters(own.uuid));
    own.cases[current.key] = caseTelemetry(summary, changes);
  };
  const close = () => {
    for (const { current } of watched.values()) current?.sampler.stop();
    open?.close();
  };
  return {
    close,
    note: (rank, progress) => {
      if (progress.kind === "device") {
        const { device } = progress;
        const { uuid } = device;
        if (uuid === undefined || open === undefined) return;
        watched.set(rank, { device, uuid, before: counters(uuid), cases: {}, current: undefined });
        return;
      }
      const own = watched.get(rank);
      if (own === undefined) return;
      if (progress.kind === "begin") begin(own, progress.key);
      if (progress.kind === "end") finish(own, progress.round);
    },
    end: async () => {
      const hardFacts: string[] = [];
      const devices: Record<string, JsonObject> = {};
      for (const own of watched.values()) {
        finish(own, 0);
        const changes = changesOf(own.before, counters(own.uuid));
        hardFacts.push(...memoryFacts(own.device, changes));
        devices[own.device.name] = { whole: { ...changes }, cases: own.cases };
      }
      close();
      const xids = await readXids();
      if ("reason" in xids) problems.add(xids.reason);
      else hardFacts.push(...xidFacts(xids.events, [...watched.values()]));
      const notRead = [...problems];
      return { hardFacts, facts: { devices, ...(notRead.length === 0 ? {} : { notRead }) } };
    },
  };
}

function changesOf(
  before: GpuCounters | undefined,
  after: GpuCounters | undefined,
): CounterChanges | undefined {
  return before === undefined || after === undefined ? undefined : counterChanges(before, after);
}

/** New errors of memory that could not be mended: no statistics are needed. */
function memoryFacts(device: Device, changes: CounterChanges | undefined): readonly string[] {
  if (changes === undefined) return [];
  const name = describeDevice(device);
  const { eccUncorrected, remappedRowsUncorrectable, remapBecamePending } = changes;
  const facts: string[] = [];
  if ((eccUncorrected ?? 0) > 0) {
    facts.push(`${name}: ${eccUncorrected} errors of memory came up that ECC could not mend`);
  }
  if ((remappedRowsUncorrectable ?? 0) > 0) {
    facts.push(
      `${name}: ${remappedRowsUncorrectable} rows of memory had to be replaced for errors`,
    );
  }
  if (remapBecamePending === true) {
    facts.push(`${name}: a row of memory waits for a reset to be replaced`);
  }
  return facts;
}

/** XIDs that the hardware is to blame for, of GPUs that took part. */
function xidFacts(events: readonly XidEvent[], watched: readonly Watched[]): readonly string[] {
  return events.flatMap(({ xid, pciBusId, text }) => {
    if (xidBlame(xid, text) !== "hardware") return [];
    const own = watched.find(({ device }) => sameBus(device.pciBusId, pciBusId));
    return own === undefined ? [] : [`${describeDevice(own.device)}: XID ${xid}: ${text}`];
  });
}

function sameBus(one: string | undefined, other: string): boolean {
  return one !== undefined && normalizePciBusId(one) === normalizePciBusId(other);
}
