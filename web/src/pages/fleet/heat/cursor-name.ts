import type { HeatLayout, Spot } from "./layout.ts";
import { type HeatModel, nameOf } from "./model.ts";

/** What the cursor is on, in words that stay true when other nodes are shown. */
export interface CursorName {
  readonly node: string;
  /** Undefined when a cell is a whole node. */
  readonly check: string | undefined;
}

export function nameOfSpot(model: HeatModel, layout: HeatLayout, spot: Spot): CursorName {
  const node = nameOf(model, layout.order[spot.slot] ?? -1);
  return { node, check: spot.check === undefined ? undefined : model.checks[spot.check] };
}

/** Where it is now; undefined while its node is not shown. */
export function spotOfName(
  model: HeatModel,
  layout: HeatLayout | undefined,
  name: CursorName | undefined,
): Spot | undefined {
  if (layout === undefined || name === undefined) return undefined;
  const slot = layout.slotOf[model.view.names.indexOf(name.node)] ?? -1;
  if (slot < 0) return undefined;
  if (layout.mode !== "checks") return { slot, check: undefined };
  return { slot, check: Math.max(0, model.checks.indexOf(name.check ?? "")) };
}
