/** What NCCL says carries one direction of a channel: `NET/IB/0/GDRDMA`, `P2P/IPC`. */
export interface NcclPath {
  /** `NET`, `P2P`, `SHM`, `COLLNET`, or whatever else the line names. */
  readonly transport: string;
  /** Of `NET`: `IB`, `Socket`, or the name of a plug-in. */
  readonly network?: string;
  /** Of `NET`: the number NCCL gave the network device. */
  readonly device?: number;
  /** The network card reads and writes the GPU's memory itself. */
  readonly gpuDirect: boolean;
  /** The rank whose GPU relays the data to the network card, when the line names one. */
  readonly relay?: number;
  /** As written. */
  readonly text: string;
}

/** One direction of one channel between two ranks. */
export interface NcclConnection {
  readonly channel: number;
  readonly from: number;
  readonly to: number;
  /** Who wrote the line; absent for transports that write one line for both. */
  readonly side?: "send" | "receive";
  readonly path: NcclPath;
}

/** A line of NCCL's log that tells something about the way data takes. */
export type NcclLogEvent =
  | { readonly kind: "version"; readonly version: string }
  | { readonly kind: "network"; readonly network: string }
  /** Network devices by NCCL's number; several ports behind one number are used as one. */
  | { readonly kind: "devices"; readonly devices: ReadonlyMap<number, readonly string[]> }
  | { readonly kind: "rank"; readonly rank: number; readonly worldSize: number }
  | { readonly kind: "ring"; readonly channel: number; readonly channels: number }
  | { readonly kind: "channels"; readonly collective: number; readonly nvls: number }
  | { readonly kind: "connection"; readonly connection: NcclConnection }
  | { readonly kind: "warning"; readonly text: string }
  | { readonly kind: "other" };

const messageOf = /\bNCCL (INFO|WARN|ATTN) +(.*)$/;
const versionOf = /^NCCL version (\S+)/;
const connectionOf =
  /^Channel (\d+)(?:\/\d+)? : (\d+)(?:\[[^\]]*\])? -> (\d+)(?:\[[^\]]*\])? (?:\[(send|receive)\] )?via (.+)$/;
const collNetOf = /^CollNet (\d+)(?:\/\d+)? : (\d+) \[(send|receive)\] via (.+)$/;
const ringOf = /^Channel (\d+)\/(\d+) :(?:\s+\d+)+\s*$/;
const channelsOf = /(\d+) coll channels,(?:.*?(\d+) nvls channels)?/;
const rankOf = /\bcomm 0x[0-9a-f]+ rank (\d+) nranks (\d+)\b/i;
const networkOf = /^(?:Using network|Assigned NET plugin) (.+?)(?: to comm)?$/;
const usedOf = /^NET\/IB ?: Using (.*?)(?:; OOB .*)?$/;
const portOf = /([A-Za-z][\w.-]*):(\d+)\/(?:IB|RoCE)/;
const virtualOf = /^NET\/IB ?: Made virtual device \[(\d+)\] name=(\S+)/;
const netOf = /^NET\/([^/]+)\/(-?\d+)(?:\((\d+)\))?(.*)$/;

/** What a line of output says; undefined when NCCL did not write it. */
export function parseNcclLine(line: string): NcclLogEvent | undefined {
  const message = messageOf.exec(line.trimEnd());
  if (message !== null) return parseMessage(message[1] ?? "", message[2] ?? "");
  // One line of the log comes without its usual beginning.
  const version = versionOf.exec(line.trim())?.[1];
  return version === undefined ? undefined : { kind: "version", version };
}

function parseMessage(level: string, message: string): NcclLogEvent {
  if (level !== "INFO") return { kind: "warning", text: message };
  const collNet = collNetOf.exec(message);
  if (collNet !== null) {
    const [, channel, rank, , via = ""] = collNet;
    // The other end is a switch of the network, which is no rank.
    const ends = { channel: Number(channel), from: Number(rank), to: Number(rank) };
    return { kind: "connection", connection: { ...ends, path: parsePath(via.trim()) } };
  }
  const connection = connectionOf.exec(message);
  if (connection !== null) {
    const [, channel, from, to, side, via = ""] = connection;
    const ends = { channel: Number(channel), from: Number(from), to: Number(to) };
    const path = parsePath(via.trim());
    if (side !== "send" && side !== "receive") {
      return { kind: "connection", connection: { ...ends, path } };
    }
    return { kind: "connection", connection: { ...ends, side, path } };
  }
  return parseSetUp(message);
}

function parseSetUp(message: string): NcclLogEvent {
  const ring = ringOf.exec(message);
  if (ring !== null) return { kind: "ring", channel: Number(ring[1]), channels: Number(ring[2]) };
  const channels = channelsOf.exec(message);
  if (channels !== null) {
    return { kind: "channels", collective: Number(channels[1]), nvls: Number(channels[2] ?? 0) };
  }
  const rank = rankOf.exec(message);
  if (rank !== null) return { kind: "rank", rank: Number(rank[1]), worldSize: Number(rank[2]) };
  const version = versionOf.exec(message)?.[1];
  if (version !== undefined) return { kind: "version", version };
  const network = networkOf.exec(message);
  if (network !== null) return { kind: "network", network: network[1] ?? "" };
  const devices = parseDevices(message);
  return devices === undefined ? { kind: "other" } : { kind: "devices", devices };
}

/** `NET/IB : Using [0]mlx5_0:1/IB [1]={[0] mlx5_1:1/IB, [1] mlx5_2:1/IB} [RO]; OOB eth0:…` */
function parseDevices(message: string): ReadonlyMap<number, readonly string[]> | undefined {
  const made = virtualOf.exec(message);
  if (made !== null) {
    return new Map([[Number(made[1]), (made[2] ?? "").split("+").map(withoutPort)]]);
  }
  const used = usedOf.exec(message);
  if (used === null) return undefined;
  const devices = new Map<number, readonly string[]>();
  for (const [, index, several, single] of (used[1] ?? "").matchAll(
    /\[(\d+)\](?:=\{([^}]*)\}|([A-Za-z][\w.-]*:\d+\/(?:IB|RoCE)))/g,
  )) {
    const ports = (several ?? single ?? "").split(",").flatMap((port) => {
      const name = portOf.exec(port)?.[1];
      return name === undefined ? [] : [name];
    });
    devices.set(Number(index), ports);
  }
  return devices;
}

function withoutPort(name: string): string {
  return name.replace(/:\d+$/, "");
}

/** The way one direction takes, as the text after `via` says. */
export function parsePath(text: string): NcclPath {
  if (text.includes("shared memory")) return { transport: "SHM", gpuDirect: false, text };
  const net = netOf.exec(text);
  if (net === null) {
    return { transport: text.split("/", 1)[0] ?? text, gpuDirect: false, text };
  }
  const [, network = "", device, relay, rest = ""] = net;
  const gpuDirect = /\/GDRDMA(?:\(\w+\))?(?:\/|$)/.test(rest);
  const path = { transport: "NET", network, device: Number(device), gpuDirect, text };
  return relay === undefined ? path : { ...path, relay: Number(relay) };
}
