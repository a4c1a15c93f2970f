import type { DomainModel, DomainQuery, DomainTime } from "./domain.ts";
import { type Form, type TimeOf, type Weights, weigh } from "./forms/form.ts";
import { inSwitchAllReduce, inSwitchHalf } from "./forms/in-switch.ts";
import { bulkPeerBytes, peersBulk, peersLaunch, peersSmall } from "./forms/peers.ts";
import {
  type RingProtocol,
  ringForm,
  ringProtocols,
  type TrayProtocol,
  trayForm,
  trayProtocols,
} from "./forms/ring.ts";
import { libraryChoice, type Protocol, type Stretch } from "./library-choice.ts";
import { joinPieces } from "./piecewise.ts";

/** Groups of this size and smaller stay inside one tray, and have constants of their own. */
export const trayDevices = 4;

/** What is fitted for an NVLink rack. Each part by the names its form gives its parameters. */
export interface RackCalibration {
  readonly ring: Readonly<Record<RingProtocol, Weights>>;
  readonly inSwitch: Readonly<Record<RingOp, Weights>>;
  /** Absent where no group of a tray was measured: then the larger groups' constants serve. */
  readonly tray?: Readonly<Record<RingOp, Readonly<Record<TrayProtocol, Weights>>>>;
  readonly peers: PeerWeights;
  readonly trayPeers?: PeerWeights;
}
export interface PeerWeights {
  readonly launch: Weights;
  readonly small: Weights;
  readonly bulk: Weights;
}
/** The collectives that run on a ring or in the switch. */
export const ringOps = ["all-reduce", "all-gather", "reduce-scatter"] as const;
export type RingOp = (typeof ringOps)[number];

const ringWork = {
  "all-reduce": "both",
  "all-gather": "move",
  "reduce-scatter": "reduce",
} as const;

/** The form of a collective on a ring larger than a tray. */
export function rackRingForm(op: RingOp, protocol: RingProtocol): Form {
  return ringForm(protocol, ringWork[op]);
}

/** The form of a collective that the switch carries out. */
export function inSwitchForm(op: RingOp): Form {
  return op === "all-reduce" ? inSwitchAllReduce : inSwitchHalf;
}

/** The form of a ring collective inside one tray. */
export function trayRingForm(op: RingOp, protocol: TrayProtocol): Form {
  return trayForm(protocol, op === "all-reduce" ? 2 : 1);
}

/** Inside a tray only LL and what comes after it can be told apart. */
export function trayProtocol(protocol: Protocol): TrayProtocol {
  return protocol === "ll" ? "ll" : "bulk";
}

/** The calibration, put into the forms. */
interface Weighed {
  readonly ring: (op: RingOp, protocol: RingProtocol) => TimeOf;
  readonly inSwitch: (op: RingOp) => TimeOf;
  /** Undefined where no group of a tray was measured. */
  readonly tray: ((op: RingOp, protocol: TrayProtocol) => TimeOf) | undefined;
  readonly peers: WeighedPeers;
  readonly trayPeers: WeighedPeers;
}
interface WeighedPeers {
  readonly launch: TimeOf;
  readonly small: TimeOf;
  readonly bulk: TimeOf;
}

/** A rack joined by NVLink switches, GB200 NVL72 and its kin. */
export function createRackModel(calibration: RackCalibration): DomainModel {
  const weighed = weighCalibration(calibration);
  const curveOf = createCurveCache(weighed);
  return {
    timeOf: (query) =>
      query.op === "all-to-all"
        ? allToAll(weighed, query)
        : ringOrSwitch(curveOf({ ...query, op: query.op }), query.bytes),
    covers: ({ devices, bytes }) =>
      devices >= 4 && devices <= 72 && bytes >= 1024 && bytes <= 2 ** 35,
  };
}

function weighCalibration({ ring, inSwitch, tray, peers, trayPeers }: RackCalibration): Weighed {
  const rings = table(ringOps, (op) =>
    table(ringProtocols, (protocol) => weigh(rackRingForm(op, protocol), ring[protocol])),
  );
  const switches = table(ringOps, (op) => weigh(inSwitchForm(op), inSwitch[op]));
  const trays =
    tray &&
    table(ringOps, (op) =>
      table(trayProtocols, (protocol) => weigh(trayRingForm(op, protocol), tray[op][protocol])),
    );
  return {
    ring: (op, protocol) => rings[op][protocol],
    inSwitch: (op) => switches[op],
    tray: trays && ((op, protocol) => trays[op][protocol]),
    peers: weighPeers(peers),
    trayPeers: weighPeers(trayPeers ?? peers),
  };
}

function weighPeers({ launch, small, bulk }: PeerWeights): WeighedPeers {
  return {
    launch: weigh(peersLaunch, launch),
    small: weigh(peersSmall, small),
    bulk: weigh(peersBulk, bulk),
  };
}

function table<Key extends string, Value>(
  keys: readonly Key[],
  of: (key: Key) => Value,
): Readonly<Record<Key, Value>> {
  return Object.fromEntries(keys.map((key) => [key, of(key)])) as Record<Key, Value>;
}

type RingQuery = Pick<DomainQuery, "devices" | "only"> & { readonly op: RingOp };

interface RingCurve {
  readonly stretches: readonly Stretch[];
  readonly timeUs: (bytes: number) => number;
}

// A sweep asks for one group again and again.
const curvesMax = 256;

function createCurveCache(weighed: Weighed): (query: RingQuery) => RingCurve {
  const curves = new Map<string, RingCurve>();
  return (query) => {
    const key = `${query.op} ${query.devices} ${query.only ?? ""}`;
    let curve = curves.get(key);
    if (curve === undefined) {
      if (curves.size >= curvesMax) curves.clear();
      curve = ringCurve(weighed, query);
      curves.set(key, curve);
    }
    return curve;
  };
}

function ringCurve(weighed: Weighed, query: RingQuery): RingCurve {
  const { op, devices, only } = query;
  const stretches: readonly Stretch[] =
    only === "nvls"
      ? [{ fromBytes: 0, protocol: "nvls" }]
      : libraryChoice({ op, devices, withSwitch: only !== "ring" });
  const pieces = stretches.map(({ fromBytes, protocol }) => {
    const timeOf = protocolTime(weighed, query, protocol);
    return { fromBytes, timeUs: (bytes: number) => timeOf({ devices, bytes }) };
  });
  return { stretches, timeUs: joinPieces(pieces) };
}

function ringOrSwitch({ stretches, timeUs }: RingCurve, bytes: number): DomainTime {
  const chosen = stretches.findLast(({ fromBytes }) => bytes >= fromBytes);
  return { timeUs: timeUs(bytes), algorithm: chosen?.protocol === "nvls" ? "nvls" : "ring" };
}

function protocolTime(
  { ring, inSwitch, tray }: Weighed,
  { op, devices, only }: RingQuery,
  protocol: Protocol,
): TimeOf {
  // What the tray's curves show cannot be taken apart into ring and switch.
  if (devices <= trayDevices && only === undefined && tray !== undefined) {
    return tray(op, trayProtocol(protocol));
  }
  return protocol === "nvls" ? inSwitch(op) : ring(op, protocol);
}

function allToAll({ peers, trayPeers }: Weighed, { devices, bytes }: DomainQuery): DomainTime {
  const { launch, small, bulk } = devices <= trayDevices ? trayPeers : peers;
  const bulkFromBytes = devices * bulkPeerBytes;
  if (bytes >= bulkFromBytes) return { timeUs: bulk({ devices, bytes }), algorithm: "pairwise" };
  const sample = { devices, bytes };
  const smallUs = Math.max(launch(sample), small(sample));
  // Just below the change real times rise above those after it; see `joinPieces`.
  const bulkUs = bulk({ devices, bytes: bulkFromBytes });
  return { timeUs: Math.min(smallUs, bulkUs), algorithm: "pairwise" };
}
