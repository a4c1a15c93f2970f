import { type NcclConnection, parseNcclLine } from "./log-line.ts";

/** What NCCL's log of one run says about the way its data took. */
export interface NcclLog {
  /** Lines that NCCL wrote. */
  readonly lines: number;
  readonly version: string | undefined;
  /** Networks that were chosen, without repetition: `IB`. */
  readonly networks: readonly string[];
  /** Names of the network cards behind NCCL's device numbers. */
  readonly devices: ReadonlyMap<number, readonly string[]>;
  /** As the ranks say themselves; undefined when none did, or when they disagree. */
  readonly worldSize: number | undefined;
  /** Channels of a collective; undefined when the log does not say. */
  readonly channels: number | undefined;
  /** Channels that let the NVLink switch add. */
  readonly nvlsChannels: number;
  /** Every direction of every channel that was set up, without repetition. */
  readonly connections: readonly NcclConnection[];
  /** The first of NCCL's warnings. */
  readonly warnings: readonly string[];
  /** There were more connections than are kept, so that nothing can be said of all. */
  readonly overfull: boolean;
}

export interface NcclLogReader {
  /** Takes one line of a rank's output; lines of others are passed over. */
  add(line: string): void;
  log(): NcclLog;
}

/** 256 ranks with 64 channels and two directions fit. */
const connectionsMax = 65_536;
const warningsMax = 20;
const warningCharsMax = 300;

/** Collects what the ranks of one run print. */
export function createNcclLogReader(): NcclLogReader {
  const connections = new Map<string, NcclConnection>();
  const devices = new Map<number, readonly string[]>();
  const networks = new Set<string>();
  const worldSizes = new Set<number>();
  const warnings: string[] = [];
  let lines = 0;
  let version: string | undefined;
  let channels: number | undefined;
  let nvlsChannels = 0;
  let overfull = false;

  const addConnection = (connection: NcclConnection) => {
    const { channel, from, to, side, path } = connection;
    const key = `${channel} ${from} ${to} ${side ?? ""} ${path.text}`;
    if (connections.size >= connectionsMax && !connections.has(key)) overfull = true;
    else connections.set(key, connection);
  };
  const add = (line: string) => {
    const event = parseNcclLine(line);
    if (event === undefined) return;
    lines++;
    if (event.kind === "connection") addConnection(event.connection);
    else if (event.kind === "rank") worldSizes.add(event.worldSize);
    else if (event.kind === "network") networks.add(event.network);
    else if (event.kind === "version") version = event.version;
    else if (event.kind === "ring") channels = Math.max(channels ?? 0, event.channels);
    else if (event.kind === "devices") {
      for (const [index, names] of event.devices) devices.set(index, names);
    } else if (event.kind === "channels") {
      channels = Math.max(channels ?? 0, event.collective);
      nvlsChannels = Math.max(nvlsChannels, event.nvls);
    } else if (event.kind === "warning" && warnings.length < warningsMax) {
      warnings.push(event.text.slice(0, warningCharsMax));
    }
  };
  const log = (): NcclLog => ({
    lines,
    version,
    networks: [...networks],
    devices: new Map(devices),
    worldSize: worldSizes.size === 1 ? [...worldSizes][0] : undefined,
    channels,
    nvlsChannels,
    connections: [...connections.values()],
    warnings: [...warnings],
    overfull,
  });
  return { add, log };
}

/** The log in a text of many lines. */
export function readNcclLog(text: string): NcclLog {
  const reader = createNcclLogReader();
  for (const line of text.split("\n")) reader.add(line);
  return reader.log();
}
