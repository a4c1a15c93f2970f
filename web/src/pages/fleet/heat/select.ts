import type { Standing } from "../../../../../src/control/api/common.ts";
import {
  closedBy,
  type HeatModel,
  type NodeUse,
  nameOf,
  rackOf,
  skuOf,
  standingAt,
  useOf,
} from "./model.ts";

/** Which nodes are shown. An empty set of standings means all of them. */
export interface FleetFilter {
  readonly standings: ReadonlySet<Standing>;
  readonly use: NodeUse | undefined;
  readonly sku: string | undefined;
  readonly rack: string | undefined;
  /** Whether users are kept away, and by whom. */
  readonly closed: Closed | undefined;
  /** How this check went is how a node stands; undefined: the worst of all. */
  readonly check: string | undefined;
}

export const closedWords = ["by-tessera", "by-others", "not"] as const;
export type Closed = (typeof closedWords)[number];

export const everything: FleetFilter = {
  standings: new Set(),
  use: undefined,
  sku: undefined,
  rack: undefined,
  closed: undefined,
  check: undefined,
};

/** The shown nodes, rack by rack; racks in the order people count them. */
export function shownNodes(model: HeatModel, filter: FleetFilter): Uint32Array {
  const places = placesOfRacks(model.view.racks);
  const order = new Uint32Array(model.nodes);
  let shown = 0;
  for (let node = 0; node < model.nodes; node++) {
    if (isShown(model, node, filter)) order[shown++] = node;
  }
  const placeOf = (node: number) => places[model.view.rackOf[node] ?? 0] ?? 0;
  return order.subarray(0, shown).toSorted((a, b) => placeOf(a) - placeOf(b) || a - b);
}

function isShown(model: HeatModel, node: number, filter: FleetFilter): boolean {
  const { standings } = filter;
  return (
    (standings.size === 0 || standings.has(standingAt(model, node))) &&
    fitsOthers(model, node, filter)
  );
}

function fitsOthers(model: HeatModel, node: number, filter: FleetFilter): boolean {
  const { use, sku, rack, closed } = filter;
  return (
    (use === undefined || useOf(model, node) === use) &&
    (sku === undefined || skuOf(model, node) === sku) &&
    (rack === undefined || rackOf(model, node) === rack) &&
    (closed === undefined || closedWord(model, node) === closed)
  );
}

function closedWord(model: HeatModel, node: number): Closed {
  const by = closedBy(model, node);
  return by === null ? "not" : by === "tessera" ? "by-tessera" : "by-others";
}

function placesOfRacks(racks: readonly string[]): Uint32Array {
  const collator = new Intl.Collator("en", { numeric: true });
  const sorted = racks.map((_, index) => index);
  sorted.sort((a, b) => collator.compare(racks[a] ?? "", racks[b] ?? ""));
  const places = new Uint32Array(racks.length);
  for (const [place, rack] of sorted.entries()) places[rack] = place;
  return places;
}

/** How many nodes each standing has among those the other filters let through. */
export function countStandings(
  model: HeatModel,
  filter: FleetFilter,
): Readonly<Record<Standing, number>> {
  const counts = { pass: 0, warn: 0, suspect: 0, unknown: 0, fail: 0, untested: 0 };
  for (let node = 0; node < model.nodes; node++) {
    if (fitsOthers(model, node, filter)) counts[standingAt(model, node)] += 1;
  }
  return counts;
}

/** 1 for each node the search finds; undefined when nothing is searched for. */
export function searchNodes(model: HeatModel, search: string): Uint8Array | undefined {
  const wanted = search.trim().toLowerCase();
  if (wanted === "") return undefined;
  const racks = model.view.racks.map((rack) => rack.toLowerCase().includes(wanted));
  const skus = model.view.skus.map((sku) => sku.toLowerCase().includes(wanted));
  const found = new Uint8Array(model.nodes);
  for (let node = 0; node < model.nodes; node++) {
    const isFound =
      racks[model.view.rackOf[node] ?? -1] === true ||
      skus[model.view.skuOf[node] ?? -1] === true ||
      nameOf(model, node).toLowerCase().includes(wanted);
    found[node] = isFound ? 1 : 0;
  }
  return found;
}
