import { createRng, type RngStream } from "../../src/platform/rng/index.ts";
import type { CheckFacts, NodeFacts } from "../../src/validation/prioritize/index.ts";

/** A kind of defect in the second generator: what it does to a busy node, per hour. */
export interface OtherKind {
  readonly name: string;
  readonly weight: number;
  readonly crashesPerHour: number;
  readonly kernelPerHour: number;
  readonly xids: readonly number[];
}

/** Everything the second generator of logs needs. It shares no assumption with `simulateFleet`. */
export interface OtherFleet {
  readonly label: string;
  readonly days: number;
  readonly startS: number;
  readonly nodes: readonly NodeFacts[];
  readonly checks: readonly CheckFacts[];
  readonly limits: { readonly inFlight: number; readonly gpuHoursPerDay: number };
  readonly kinds: readonly OtherKind[];
  /** New defects per day of each node, by its place. */
  readonly onsetsPerDay: readonly number[];
  /** Defects that are there from the start, by the chance of a node. */
  readonly brokenAtStart: number;
  /** Whether a node that is broken already may break again. */
  readonly overlapping: boolean;
  /** Mean days until others repair a defect; infinity for never. */
  readonly repairDays: number;
  readonly plannedRepairsPerNodeDay: number;
  readonly busyShare: number;
  readonly placement: "packed" | "spread" | "random";
  readonly job: {
    readonly hours: number;
    readonly shape: "exponential" | "lognormal" | "uniform";
    readonly sizes: readonly number[];
    /** Mean minutes a node stands idle between two jobs at least. */
    readonly turnaroundMinutes: number;
    readonly restartShare: number;
    readonly buggyShare: number;
  };
  readonly noise: {
    readonly crashesPerHour: number;
    readonly programPerHour: number;
    readonly hardwarePerHour: number;
    /** Kernel events come in bursts of up to this many lines. */
    readonly burstMax: number;
  };
}

const allXids = [48, 63, 74, 79, 94, 95, 119, 140, 149] as const;

/** Draws a fleet. Sets with different names share nothing. */
export function drawOtherFleet(
  set: string,
  index: number,
  { nodesMax = 1000, daysMax = 90 }: { readonly nodesMax?: number; readonly daysMax?: number } = {},
): OtherFleet {
  const stream = createRng("other-fleets").stream(set, index);
  const count = Math.round(logUniform(stream, 32, nodesMax));
  const days = Math.round(logUniform(stream, 10, daysMax));
  const kinds = drawKinds(stream);
  const nodes = drawNodes(stream, count);
  const checks = drawChecks(stream, kinds);
  const round = nodes.reduce(
    (sum, { gpus }) => sum + checks.reduce((all, { minutes }) => all + (gpus * minutes) / 60, 0),
    0,
  );
  const dearest = Math.max(...checks.map(({ minutes }) => (8 * minutes) / 60)) * 2;
  const budget = logUniform(stream, 0.12, 3);
  return {
    label: `${set} ${index}`,
    days,
    startS: stream.pick([0, 0, 0, 1_700_006_400]),
    nodes,
    checks,
    limits: {
      inFlight: Math.max(1, Math.round(logUniform(stream, 1, 20))),
      gpuHoursPerDay: Math.max(dearest, Math.round((budget * round) / 7)),
    },
    kinds,
    onsetsPerDay: drawHazards(stream, count),
    brokenAtStart: stream.pick([0, 0, 0.01, 0.03]),
    overlapping: stream.float() < 0.7,
    repairDays: stream.pick([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 10, 25, 50]),
    plannedRepairsPerNodeDay: stream.pick([0, 0, 0.002, 0.01]),
    busyShare: uniform(stream, 0.5, 0.95),
    placement: stream.pick(["packed", "spread", "random"] as const),
    job: {
      hours: logUniform(stream, 0.7, 24),
      shape: stream.pick(["exponential", "lognormal", "uniform"] as const),
      sizes: stream.pick([[1], [1, 1, 2, 4], [1, 2, 4, 8, 16], [8], [1, 1, 1, 32], [4, 16, 64]]),
      turnaroundMinutes: logUniform(stream, 3, 120),
      restartShare: stream.pick([0, 0.2, 0.5, 1]),
      buggyShare: stream.pick([0, 0.01, 0.04]),
    },
    noise: {
      crashesPerHour: logUniform(stream, 0.0003, 0.008),
      programPerHour: logUniform(stream, 0.0001, 0.008),
      hardwarePerHour: stream.pick([0, 0, logUniform(stream, 0.00003, 0.0006)]),
      burstMax: stream.pick([1, 1, 3, 8]),
    },
  };
}

/** A few nodes cause most of the trouble: lemons, or hazards that are gamma-like in their spread. */
function drawHazards(stream: RngStream, count: number): readonly number[] {
  const perDay = logUniform(stream, 2, 20) / 1000;
  const lemons = uniform(stream, 0.02, 0.15);
  const factor = logUniform(stream, 5, 40);
  const isSmooth = stream.float() < 0.3;
  const raw = Array.from({ length: count }, () =>
    isSmooth ? stream.float() ** -0.8 : stream.float() < lemons ? factor : 1,
  );
  const mean = raw.reduce((sum, one) => sum + one, 0) / count;
  return raw.map((one) => (one / mean) * perDay);
}

function drawKinds(stream: RngStream): readonly OtherKind[] {
  const count = 1 + stream.int(6);
  const silentShare = stream.pick([0, 0, 0.05, 0.1, 0.2]);
  const strength = logUniform(stream, 0.04, 0.3);
  const kinds = Array.from({ length: count }, (_, index) => {
    const talks = stream.float() < 0.6;
    return {
      name: `kind-${index}`,
      weight: (1 - silentShare) * uniform(stream, 0.2, 1),
      crashesPerHour: strength * logUniform(stream, 0.4, 2.5),
      kernelPerHour: talks ? strength * logUniform(stream, 0.1, 2) : 0,
      xids: [stream.pick(allXids), stream.pick(allXids)],
    };
  });
  const loud = kinds.reduce((sum, { weight }) => sum + weight, 0);
  const weight = (loud * silentShare) / (1 - silentShare);
  const silent = { name: "silent", weight, crashesPerHour: 0, kernelPerHour: 0, xids: [] };
  return silentShare > 0 ? [...kinds, silent] : kinds;
}

function drawNodes(stream: RngStream, count: number): readonly NodeFacts[] {
  const skus = stream.pick([["h100"], ["h100", "h200"], ["a100", "h100", "b200", "l40s"]]);
  const gpus = stream.pick([[8], [8], [4, 8], [1]]);
  const perRack = stream.pick([1, 4, 16, 64]);
  return Array.from({ length: count }, (_, index) => {
    const kind = stream.int(skus.length);
    return {
      name: `n${index}`,
      sku: skus[kind] ?? "h100",
      rack: `r${Math.floor(index / perRack)}`,
      gpus: gpus[kind % gpus.length] ?? 8,
    };
  });
}

function drawChecks(stream: RngStream, kinds: readonly OtherKind[]): readonly CheckFacts[] {
  const count = 1 + stream.int(4);
  const best = uniform(stream, 0.6, 0.98);
  const checks = Array.from({ length: count }, (_, index) => ({
    name: `check-${index}`,
    minutes: stream.pick([3, 5, 10, 15, 20, 30, 45, 60, 90]),
    sensitivity: Object.fromEntries(
      kinds.flatMap(({ name }) => {
        const sees = index === 0 || stream.float() < 0.6;
        return sees ? [[name, best * uniform(stream, index === 0 ? 0.6 : 0.1, 1)]] : [];
      }),
    ),
    falseAlarm: stream.pick([0, 0, 0, 0.001]),
  }));
  return checks;
}

function uniform(stream: RngStream, from: number, to: number): number {
  return from + (to - from) * stream.float();
}

function logUniform(stream: RngStream, from: number, to: number): number {
  return Math.exp(uniform(stream, Math.log(from), Math.log(to)));
}
