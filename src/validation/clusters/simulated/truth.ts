/** What may be wrong with a simulated node. No figure names it; only the truth does. */
export const simulatedDefectKinds = [
  "uniform-loss",
  "stalls",
  "slow-gpu",
  "slow-decay",
  "wrong-answers",
  "dead-link",
  "slow-storage",
] as const;
export type SimulatedDefectKind = (typeof simulatedDefectKinds)[number];

/**
 * A hidden defect of a simulated node, as only the simulation knows it. For tests and for the time
 * to detect in reports; nothing that decides may look at it.
 */
export interface SimulatedTruth {
  readonly id: string;
  readonly node: string;
  readonly kind: SimulatedDefectKind;
  /** When it began; may lie before the start of the simulation. */
  readonly onsetMs: number;
  /** When it was repaired; undefined while it is there. */
  readonly endMs: number | undefined;
  /** The checks whose results it can show in. */
  readonly showsIn: readonly string[];
}
