import assert from "node:assert/strict";
import { fitForms, type Measured } from "../../src/runtime/dist/time-model/calibrate/fit-form.ts";
import { type Weights, weigh } from "../../src/runtime/dist/time-model/forms/form.ts";
import {
  bulkPeerBytes,
  peersBulk,
  peersLaunch,
  peersSmall,
} from "../../src/runtime/dist/time-model/forms/peers.ts";
import { ringProtocols } from "../../src/runtime/dist/time-model/forms/ring.ts";
import { libraryChoice, type Protocol } from "../../src/runtime/dist/time-model/library-choice.ts";
import {
  inSwitchForm,
  type PeerWeights,
  type RackCalibration,
  type RingOp,
  rackRingForm,
  ringOps,
  trayDevices,
  trayProtocol,
  trayRingForm,
} from "../../src/runtime/dist/time-model/rack.ts";
import type { Curve } from "./curves.ts";

const assignmentRounds = 8;

/** The constants of a rack from its curves. Where a part has no curve, the nearest part stands in. */
export function fitRack(curves: readonly Curve[]): RackCalibration {
  const ring = Object.fromEntries(
    ringProtocols.map((protocol) => [protocol, fitRing(curves, protocol)]),
  );
  const inSwitch = Object.fromEntries(
    ringOps.map((op) => {
      const points = pointsOf(curves, op, "nvls");
      return [op, fitForms([{ form: inSwitchForm(op), points }]) ?? {}];
    }),
  );
  const peers = fitPeers(curves.filter(({ devices }) => devices > trayDevices));
  const trayCurves = curves.filter(({ devices }) => devices <= trayDevices);
  return {
    ring: ring as RackCalibration["ring"],
    inSwitch: inSwitch as RackCalibration["inSwitch"],
    peers,
    ...(trayCurves.length === 0
      ? {}
      : { tray: fitTray(trayCurves), trayPeers: fitPeers(trayCurves) }),
  };
}

/** One launch and one hop for all three collectives, a rate for moving and one for adding. */
function fitRing(curves: readonly Curve[], protocol: (typeof ringProtocols)[number]): Weights {
  const evidence = ringOps.map((op) => ({
    form: rackRingForm(op, protocol),
    points: pointsOf(curves, op, protocol),
  }));
  return fitForms(evidence) ?? {};
}

function fitTray(curves: readonly Curve[]): NonNullable<RackCalibration["tray"]> {
  const fitted = ringOps.map((op) => {
    const points = curves.filter((curve) => curve.op === op).flatMap((curve) => curve.points);
    const of = (wanted: "ll" | "bulk") => {
      const own = points.filter((point) => trayProtocol(protocolAt(op, point)) === wanted);
      return fitForms([{ form: trayRingForm(op, wanted), points: own }]) ?? {};
    };
    return [op, { ll: of("ll"), bulk: of("bulk") }];
  });
  return Object.fromEntries(fitted) as NonNullable<RackCalibration["tray"]>;
}

/** The points of larger groups at which the library runs this protocol. */
function pointsOf(curves: readonly Curve[], op: RingOp, protocol: Protocol): readonly Measured[] {
  return curves
    .filter((curve) => curve.op === op && curve.devices > trayDevices)
    .flatMap(({ points }) => points.filter((point) => protocolAt(op, point) === protocol));
}

function protocolAt(op: RingOp, { devices, bytes }: Measured): Protocol {
  const stretch = libraryChoice({ op, devices }).findLast(({ fromBytes }) => bytes >= fromBytes);
  assert(stretch !== undefined, "the first stretch begins at 0");
  return stretch.protocol;
}

/** Small messages take the longer of launch and transfer: which, is found by turns with the weights. */
function fitPeers(curves: readonly Curve[]): PeerWeights {
  const points = curves.filter(({ op }) => op === "all-to-all").flatMap((curve) => curve.points);
  const small = points.filter(({ devices, bytes }) => bytes <= (devices * bulkPeerBytes) / 2);
  const bulk = points.filter(({ devices, bytes }) => bytes >= devices * bulkPeerBytes);
  let isLaunch = (point: Measured) => point.bytes <= 512 * 1024;
  let launch: Weights = {};
  let transfer: Weights = {};
  for (let round = 0; round < assignmentRounds; round++) {
    const wasLaunch = isLaunch;
    launch = fitForms([{ form: peersLaunch, points: small.filter(wasLaunch) }]) ?? launch;
    const rest = small.filter((point) => !wasLaunch(point));
    transfer = fitForms([{ form: peersSmall, points: rest }]) ?? transfer;
    const [launchUs, transferUs] = [weigh(peersLaunch, launch), weigh(peersSmall, transfer)];
    isLaunch = (point) => launchUs(point) >= transferUs(point);
  }
  return { launch, small: transfer, bulk: fitForms([{ form: peersBulk, points: bulk }]) ?? {} };
}
