import { type Direction, nextBad, step, stepRack } from "./cursor.ts";
import type { HeatLayout, Spot } from "./layout.ts";

/** What a key means on the map. */
export type HeatCommand =
  | { readonly kind: "move"; readonly to: Spot }
  | { readonly kind: "pan"; readonly direction: Direction }
  | { readonly kind: "zoom"; readonly step: 1 | -1 }
  | { readonly kind: "fit" | "open" | "leave" };

interface Key {
  readonly key: string;
  readonly shiftKey: boolean;
}

const directions: Readonly<Record<string, Direction>> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
};

/** Undefined for a key the map has no use for; it keeps its meaning for the page. */
export function commandOf(
  { key, shiftKey }: Key,
  map: {
    readonly layout: HeatLayout;
    readonly cursor: Spot | undefined;
    /** The worst check of a bad node; undefined for all others. */
    readonly badCheck: (node: number) => number | undefined;
  },
): HeatCommand | undefined {
  const direction = directions[key];
  if (direction !== undefined && shiftKey) return { kind: "pan", direction };
  if (key === "+" || key === "=") return { kind: "zoom", step: 1 };
  if (key === "-" || key === "_") return { kind: "zoom", step: -1 };
  if (key === "0") return { kind: "fit" };
  if (key === "Enter") return map.cursor === undefined ? undefined : { kind: "open" };
  if (key === "Escape") return map.cursor === undefined ? undefined : { kind: "leave" };
  const to = spotAfter(key, map);
  return to === undefined ? undefined : { kind: "move", to };
}

function spotAfter(
  key: string,
  { layout, cursor, badCheck }: Parameters<typeof commandOf>[1],
): Spot | undefined {
  const last = layout.order.length - 1;
  if (last < 0) return undefined;
  const first: Spot = { slot: 0, check: layout.mode === "checks" ? 0 : undefined };
  const direction = directions[key];
  // The first arrow only puts the cursor on the map.
  if (direction !== undefined)
    return cursor === undefined ? first : step(layout, cursor, direction);
  const from = cursor ?? first;
  switch (key) {
    case "Home":
      return first;
    case "End":
      return { slot: last, check: first.check };
    case "PageDown":
      return stepRack(layout, from, 1);
    case "PageUp":
      return stepRack(layout, from, -1);
    case "n":
      return nextBad(layout, cursor ?? { slot: last, check: first.check }, badCheck);
    default:
      return undefined;
  }
}
