import type { CheckProfile } from "../../check.ts";
import type { Abilities, DlEngine, EngineTensor } from "../engine/engine.ts";
import type { DeviceGroup } from "../group/device-group.ts";
import type { Problem, VerifyStyle } from "../verify/style.ts";

/** Something broken on purpose, to see that it is found. */
export interface Corruption {
  /** The case it happens in. */
  readonly case: string;
  readonly kind: "flip-bit" | "altered-kernel";
  /** Which bit of the case's first output. */
  readonly bit: number;
  /** In which repeat, from 0; in all of them when absent. */
  readonly repeat?: number | undefined;
}

/** What is broken in a repeat of a case. */
export function corruptionIn(
  corruption: Corruption | undefined,
  repeat: number,
): Corruption | undefined {
  if (corruption?.repeat !== undefined && corruption.repeat !== repeat) return undefined;
  return corruption;
}

/** What a case works with. */
export interface Bench<T extends EngineTensor> {
  readonly engine: DlEngine<T>;
  /** This device and the others of the run. */
  readonly group: DeviceGroup;
  /** Of the inputs: the same for all devices. */
  readonly seed: string;
  readonly corruption: Corruption | undefined;
  readonly signal: AbortSignal;
}

export interface CaseFigure {
  readonly samples: readonly number[];
  readonly unit: string;
  readonly higherIsBetter: boolean;
}

/** What came of one case on one device. */
export interface CaseOutcome {
  readonly problems: readonly Problem[];
  /** Of each output; equal on every healthy device with the same software. */
  readonly digests: Readonly<Record<string, string>>;
  readonly figures: Readonly<Record<string, CaseFigure>>;
  /** What else explains it. */
  readonly facts?: Readonly<Record<string, number | string>>;
}

/** A case with its sizes. */
export interface PlannedCase {
  readonly name: string;
  /** Name and sizes, all that determines the answer apart from seed and software. */
  readonly key: string;
  readonly styles: readonly VerifyStyle[];
  /** Why the device cannot compute it; undefined when it can. */
  unsupported(engine: Abilities, devices: number): string | undefined;
  run<T extends EngineTensor>(bench: Bench<T>): Promise<CaseOutcome>;
}

/** How much is computed. */
export interface PlanRequest {
  readonly engine: "cuda" | "cpu";
  readonly profile: CheckProfile;
  /** Factor for the sides of matrices and the like: 1 is meant for the engine. */
  readonly scale: number;
  /** Timed iterations; the case's own when absent. */
  readonly iterations: number | undefined;
}

/** A row of the table of cases. */
export interface DlCase {
  readonly name: string;
  readonly title: string;
  readonly styles: readonly VerifyStyle[];
  plan(request: PlanRequest): PlannedCase;
}

/** Why a case that several devices take part in cannot run; undefined when it can. */
export function aloneReason({ name }: Abilities, devices: number): string | undefined {
  if (devices > 1) return undefined;
  return name === "cuda"
    ? "one GPU alone has no other to exchange data with: the links between GPUs were not tested"
    : "one process alone has no other to exchange data with";
}

/** A length times the scale: a multiple of `step`, at least one. */
export function scaled(length: number, scale: number, step = 16): number {
  return Math.max(step, Math.round((length * scale) / step) * step);
}

/** A size by engine and profile; soak computes what standard does, for longer. */
export function sizeOf<S>(
  sizes: Readonly<Record<"cuda" | "cpu", Readonly<Record<"quick" | "standard", S>>>>,
  { engine, profile }: PlanRequest,
): S {
  return sizes[engine][profile === "quick" ? "quick" : "standard"];
}
