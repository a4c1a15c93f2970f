import assert from "node:assert/strict";
import { createRng, type Rng } from "../../../platform/rng/index.ts";
import { type Topology, topologyOf } from "../../dist/topology/index.ts";
import { attribute, wholeBottleneck } from "../attribution/index.ts";
import { type FitOptions, fitScaling, type ScalingKind } from "../fits/index.ts";
import { stepTime } from "../step/index.ts";
import { type Workload, workloadDefault, workloadError, workloadOf } from "../workload/index.ts";
import { aboveIdealNotes } from "./above-ideal.ts";
import { chooseSplit } from "./choose-split.ts";
import { groupFigures } from "./group-figures.ts";
import type { LeftOut, ModelledCount, ModelledStudy } from "./types.ts";

/** Counts and devices of one study. */
export const studyLimits = { countsMax: 64, devicesMax: 1_000_000 } as const;

const memoryForces = "as by a division that their memory forces";

export interface ModelOptions extends Omit<FitOptions, "rng"> {
  readonly kind: ScalingKind;
  /** Numbers of devices, in any order. */
  readonly devices: readonly number[];
  /** A system, or the name of one. */
  readonly topology: Topology | string;
  /** A workload, or the name of one. @default "gpt-1b" */
  readonly workload?: Workload | string;
  /** Chance of the resampling that gives confidence. @default that of seed 0 */
  readonly rng?: Rng;
  /** Sums in a fixed order. @default false */
  readonly deterministic?: boolean;
}

/**
 * How a workload scales on a system by the time model: for each count the division, the step and its
 * parts, what is lost to which cause, and the laws that fit the curve.
 *
 * @throws TesseraError E_TOPOLOGY where devices need a network that is not there, or when no count can
 * be modelled.
 */
export function modelScaling(options: ModelOptions): ModelledStudy {
  const { studied, asked } = begun(options);
  return concluded(
    options,
    studied,
    asked.map((devices) => modelCount(studied, devices)),
  );
}

/**
 * The same for a thread that others need too: `pause` is waited for after each count, none of which takes
 * longer than some ten milliseconds.
 */
export async function modelScalingInTurns(
  options: ModelOptions,
  pause: () => Promise<void>,
): Promise<ModelledStudy> {
  const { studied, asked } = begun(options);
  const found: (ModelledCount | LeftOut)[] = [];
  for (const devices of asked) {
    found.push(modelCount(studied, devices));
    await pause();
  }
  return concluded(options, studied, found);
}

function begun(options: ModelOptions) {
  const { kind, deterministic = false } = options;
  const studied: Studied = { kind, deterministic, ...resolved(options) };
  const asked = [...new Set(options.devices)].toSorted((a, b) => a - b);
  assert(asked.length >= 1 && asked.length <= studyLimits.countsMax, "1 to 64 counts");
  for (const devices of asked) {
    const inRange = Number.isInteger(devices) && devices >= 1 && devices <= studyLimits.devicesMax;
    assert(inRange, "1 to 1,000,000 devices");
  }
  return { studied, asked };
}

function concluded(
  options: ModelOptions,
  { kind, topology, workload, deterministic }: Studied,
  found: readonly (ModelledCount | LeftOut)[],
): ModelledStudy {
  const { counts, leftOut } = thatFit(found);
  if (counts.length === 0) {
    throw workloadError(workload.name, `${leftOut[0]?.reason ?? "nothing was asked for"}.`);
  }
  const samples = counts.map(({ devices, attribution: { step } }) => ({
    devices,
    timesS: [step.timeS],
    work: step.sequences,
  }));
  const { rng = createRng(0) } = options;
  const { curve, fits } = fitScaling(samples, kind, { ...options, rng });
  const attributions = counts.map(({ attribution }) => attribution);
  return {
    source: "modelled",
    kind,
    topology,
    workload,
    deterministic,
    curve,
    fits,
    counts,
    leftOut,
    bottleneck: wholeBottleneck(attributions, topology),
    notes: [...notesOf(counts, topology), ...aboveIdealNotes(curve, memoryForces)],
  };
}

/** What a study is about, names looked up. */
interface Studied {
  readonly kind: ScalingKind;
  readonly topology: Topology;
  readonly workload: Workload;
  readonly deterministic: boolean;
}

function resolved({ topology, workload = workloadDefault }: ModelOptions) {
  return {
    topology: typeof topology === "string" ? topologyOf(topology) : topology,
    workload: typeof workload === "string" ? workloadOf(workload) : workload,
  };
}

/** The counts that can be run. Those whose memory is too small are left out while others fit. */
function thatFit(found: readonly (ModelledCount | LeftOut)[]): {
  readonly counts: readonly ModelledCount[];
  readonly leftOut: readonly LeftOut[];
} {
  const counts = found.filter((one): one is ModelledCount => !("reason" in one));
  const leftOut = found.filter((one): one is LeftOut => "reason" in one);
  const fitting = counts.filter(({ memory }) => memory.fits !== false);
  if (fitting.length === 0) return { counts, leftOut };
  const tooLarge = counts
    .filter(({ memory }) => memory.fits === false)
    .map(({ devices, memory }) => ({ devices, reason: memoryReason(memory) }));
  return { counts: fitting, leftOut: [...leftOut, ...tooLarge] };
}

function modelCount(studied: Studied, devices: number): ModelledCount | LeftOut {
  const { kind, topology, workload, deterministic } = studied;
  const wanted = { kind, devices, topology, workload };
  const chosen = chooseSplit(wanted);
  if ("reason" in chosen) return { devices, reason: chosen.reason };
  const { split, memory } = chosen;
  const fastS = stepTime({ ...wanted, split }).timeS;
  const deterministicS = stepTime({ ...wanted, split, deterministic: true }).timeS;
  return {
    devices,
    split,
    memory,
    attribution: attribute({ ...wanted, split, deterministic }),
    determinism: { fastS, deterministicS, price: deterministicS / fastS - 1 },
    groups: groupFigures({ ...wanted, split }),
  };
}

function memoryReason({ needBytes, haveBytes = 0 }: ModelledCount["memory"]): string {
  const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(0)} GB`;
  return `a device would need ${gigabytes(needBytes)} and has ${gigabytes(haveBytes)}`;
}

function notesOf(counts: readonly ModelledCount[], { gpu }: Topology): readonly string[] {
  const unknown = counts.some(({ memory }) => memory.fits === undefined);
  const none = counts.some(({ memory }) => memory.fits === false);
  return [
    ...(unknown ? [`The memory of ${gpu.name} is not known: whether it fits was not judged.`] : []),
    ...(none ? ["No count fits the memory of the devices: all of them are hypothetical."] : []),
  ];
}
