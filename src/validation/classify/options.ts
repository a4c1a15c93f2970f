import { type SkuFloor, skuFloors } from "./floors.ts";

/** How runs are classified; everything has a default. */
export interface ClassifyOptions {
  /** The SKU floors. @default the table that ships, `skuFloors` */
  readonly floors?: readonly SkuFloor[];
  /**
   * How often a healthy run may be called bad, for each family of statistics, over all figures.
   *
   * @default { centre: 3e-4, together: 1e-4, tail: 1.5e-4, siblings: 1.5e-4 }
   */
  readonly alarmRates?: Partial<FamilyRates>;
}

export interface FamilyRates {
  /** The middle of a figure, against the cohort and the node's own past. */
  readonly centre: number;
  /** All figures of a run together. */
  readonly together: number;
  /** A share of slow samples. */
  readonly tail: number;
  /** One GPU against the others of its node. */
  readonly siblings: number;
}

export interface ResolvedOptions {
  readonly floors: readonly SkuFloor[];
  readonly alarmRates: FamilyRates;
}

const defaultRates: FamilyRates = { centre: 3e-4, together: 1e-4, tail: 1.5e-4, siblings: 1.5e-4 };

/** Every option with its value. */
export function resolveOptions({ floors, alarmRates }: ClassifyOptions): ResolvedOptions {
  return { floors: floors ?? skuFloors, alarmRates: { ...defaultRates, ...alarmRates } };
}
