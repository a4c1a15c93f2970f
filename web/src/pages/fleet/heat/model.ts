import type { Standing } from "../../../../../src/control/api/common.ts";
import type { HeatMapView, NodeRow, useLetters } from "../../../../../src/control/api/nodes.ts";
import { codeOf, standingOf } from "./standing-codes.ts";

export type NodeUse = NodeRow["use"];

/** A cluster as the map paints it: numbers in typed arrays, node `i` at index `i`. */
export interface HeatModel {
  readonly view: HeatMapView;
  readonly nodes: number;
  readonly checks: readonly string[];
  /** The worst of each node's checks, as codes. */
  readonly standings: Uint8Array;
  /** Codes; of node `i` and check `c` at `i * checks.length + c`. */
  readonly cells: Uint8Array;
}

const useOfLetter: Readonly<Record<(typeof useLetters)[NodeUse], NodeUse>> = {
  f: "free",
  b: "busy",
  n: "untestable",
  t: "under-test",
  s: "unseen",
};

export function heatModel(view: HeatMapView): HeatModel {
  const nodes = view.names.length;
  const checks = view.checks.length;
  const standings = new Uint8Array(nodes);
  const cells = new Uint8Array(nodes * checks);
  for (let node = 0; node < nodes; node++) {
    standings[node] = codeOf(view.standings.charAt(node));
    for (let check = 0; check < checks; check++) {
      cells[node * checks + check] = codeOf(view.cells[check]?.charAt(node) ?? "");
    }
  }
  return { view, nodes, checks: view.checks, standings, cells };
}

/** The same nodes with one check alone: how it went is how they stand. */
export function ofCheck(model: HeatModel, check: string | undefined): HeatModel {
  const at = check === undefined ? -1 : model.checks.indexOf(check);
  if (at < 0 || model.checks.length < 2) return model;
  const cells = new Uint8Array(model.nodes);
  for (let node = 0; node < model.nodes; node++) cells[node] = codeAt(model, node, at);
  return { ...model, checks: model.checks.slice(at, at + 1), cells, standings: cells };
}

export function nameOf(model: HeatModel, node: number): string {
  return model.view.names[node] ?? "";
}

export function rackOf(model: HeatModel, node: number): string {
  return model.view.racks[model.view.rackOf[node] ?? -1] ?? "";
}

export function skuOf(model: HeatModel, node: number): string {
  return model.view.skus[model.view.skuOf[node] ?? -1] ?? "";
}

export function useOf(model: HeatModel, node: number): NodeUse {
  const known: Readonly<Record<string, NodeUse>> = useOfLetter;
  return known[model.view.uses.charAt(node)] ?? "unseen";
}

/** Who keeps users away from a node. */
export function closedBy(model: HeatModel, node: number): "tessera" | "other" | null {
  const letter = model.view.closed.charAt(node);
  return letter === "t" ? "tessera" : letter === "o" ? "other" : null;
}

/** How a node stands, or one check of it. */
export function standingAt(model: HeatModel, node: number, check?: number): Standing {
  return standingOf(codeAt(model, node, check));
}

/** Bad ones, worst first: what is unknown is not healthy. */
const badStandings: readonly Standing[] = ["fail", "suspect", "unknown"];

/** The worst check of a node that is bad; undefined when it is not. */
export function badCheckOf(model: HeatModel, node: number): number | undefined {
  for (const bad of badStandings) {
    const at = model.checks.findIndex((_, check) => standingAt(model, node, check) === bad);
    if (at >= 0) return at;
  }
  return badStandings.includes(standingAt(model, node)) ? 0 : undefined;
}

export function codeAt(model: HeatModel, node: number, check?: number): number {
  const code =
    check === undefined ? model.standings[node] : model.cells[node * model.checks.length + check];
  return code ?? codeOf("u");
}
