import type { HeatMapView } from "../../../src/control/api/nodes.ts";
import {
  type HeatLayout,
  type LayoutInput,
  layOut,
} from "../../../web/src/pages/fleet/heat/layout.ts";
import { type HeatModel, heatModel } from "../../../web/src/pages/fleet/heat/model.ts";
import { everything, shownNodes } from "../../../web/src/pages/fleet/heat/select.ts";

/** A made-up cluster: so many nodes in each rack, all of them passing. */
export function fleetOf(racks: readonly number[], change: Partial<HeatMapView> = {}): HeatModel {
  const rackOf = racks.flatMap((count, rack) => Array.from({ length: count }, () => rack));
  const nodes = rackOf.length;
  const checks = change.checks ?? ["dl-unit", "storage-io"];
  return heatModel({
    cluster: "made-up",
    provenance: "simulated",
    at: "2026-03-01T09:30:00.000Z",
    checks: [...checks],
    names: rackOf.map((_, node) => `node-${node}`),
    racks: racks.map((_, rack) => `rack-${rack}`),
    rackOf,
    skus: ["h100"],
    skuOf: rackOf.map(() => 0),
    uses: "f".repeat(nodes),
    closed: "-".repeat(nodes),
    standings: "p".repeat(nodes),
    cells: checks.map(() => "p".repeat(nodes)),
    ...change,
  });
}

export function laidOut(model: HeatModel, change: Partial<LayoutInput> = {}): HeatLayout {
  return layOut({
    mode: "checks",
    checks: model.checks.length,
    nodes: model.nodes,
    order: shownNodes(model, everything),
    rackOf: model.view.rackOf,
    widthPx: 800,
    heightPx: 400,
    pixelRatio: 1,
    ...change,
  });
}
