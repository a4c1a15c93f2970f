import type { Fact } from "../../platform/reporters/index.ts";
import type { QaWorld } from "./world.ts";

/** What one check of a suite came to. */
export interface QaFinding {
  readonly status: "pass" | "warn" | "fail" | "unknown";
  /** One sentence: why this status. A failure names the ranks it is about. */
  readonly reason: string;
  readonly hint?: string;
  readonly facts?: readonly Fact[];
}

/** One thing a suite looks at. It returns what it found; throwing means that it could not look. */
export interface QaCheck {
  /** A few words, unlike those of any other check of its section. */
  readonly name: string;
  /** The part of the report it stands in. */
  readonly section: string;
  run(world: QaWorld): QaFinding | Promise<QaFinding>;
}

/** A number that was counted in the simulated world: ranks, elements, ticks of a schedule. */
export function counted(name: string, value: number | string, unit = ""): Fact {
  return { name, value, unit, provenance: "simulated" };
}

/** A number of the time model. */
export function modelled(name: string, value: number | string, unit: string): Fact {
  return { name, value, unit, provenance: "modelled" };
}
