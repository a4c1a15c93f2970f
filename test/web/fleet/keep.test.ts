import { describe, expect, it } from "vitest";
import { nameOfSpot, spotOfName } from "../../../web/src/pages/fleet/heat/cursor-name.ts";
import { keptPlace } from "../../../web/src/pages/fleet/heat/keep-place.ts";
import { cellOf, rescaled } from "../../../web/src/pages/fleet/heat/layout.ts";
import {
  badCheckOf,
  codeAt,
  ofCheck,
  standingAt,
} from "../../../web/src/pages/fleet/heat/model.ts";
import { everything, shownNodes } from "../../../web/src/pages/fleet/heat/select.ts";
import { fleetOf, laidOut } from "./support.ts";

const model = fleetOf([2, 2, 2], { standings: "pfpppf", closed: "-to---" });

describe("a cursor that is known by its node", () => {
  const whole = laidOut(model);
  const name = nameOfSpot(model, whole, { slot: 5, check: 1 });

  it("is on the same cell when other nodes are shown", () => {
    expect(name).toEqual({ node: "node-5", check: "storage-io" });
    const failed = laidOut(model, { order: Uint32Array.of(1, 5) });
    expect(spotOfName(model, failed, name)).toEqual({ slot: 1, check: 1 });
  });

  it("is nowhere while its node is not shown", () => {
    const others = laidOut(model, { order: Uint32Array.of(0, 2) });
    expect(spotOfName(model, others, name)).toBeUndefined();
  });

  it("is on the node where a cell is a whole one, and on the first check where its own is not shown", () => {
    const nodes = laidOut(model, { mode: "nodes" });
    expect(spotOfName(model, nodes, name)).toEqual({ slot: 5, check: undefined });
    const narrow = ofCheck(model, "dl-unit");
    const map = laidOut(narrow);
    expect(spotOfName(narrow, map, name)).toEqual({ slot: 5, check: 0 });
  });
});

describe("the part in sight when other nodes are shown", () => {
  const size = { widthPx: 300, heightPx: 200 };
  const racks = Array.from({ length: 40 }, () => 16);
  const fleet = fleetOf(racks);
  const scale = 30;
  const mapOf = (order: Uint32Array) => rescaled(laidOut(fleet, { order, ...size }), scale, 1);
  const all = mapOf(shownNodes(fleet, everything));
  const given = { scale, size, sizeBefore: size };
  const nodeSeen = 300;
  const onScreen = (map: typeof all, view: { x: number; y: number }) => {
    const cell = cellOf(map, map.slotOf[nodeSeen] ?? -1);
    return { x: cell.x * scale - view.x, y: cell.y * scale - view.y };
  };
  const cell = cellOf(all, nodeSeen);
  const from = { scale, x: cell.x * scale - 150, y: cell.y * scale - 100 };

  it("still has the node in its middle at the same place", () => {
    const most = mapOf(shownNodes(fleet, everything).filter((node) => node > 40));
    const view = keptPlace(from, {
      ...given,
      before: { layout: all, model: fleet },
      after: { layout: most, model: fleet },
    });
    expect(view && onScreen(most, view)).toEqual(onScreen(all, from));
  });

  it("finds it by its name when the fleet has other nodes", () => {
    const names = fleet.view.names.map((_, at) => `node-${at + 7}`);
    const moved = fleetOf(racks, { names });
    const view = keptPlace(from, {
      ...given,
      before: { layout: all, model: fleet },
      after: { layout: all, model: moved },
    });
    const before = cellOf(all, nodeSeen - 7);
    const here = { x: before.x * scale - (view?.x ?? 0), y: before.y * scale - (view?.y ?? 0) };
    expect(here).toEqual(onScreen(all, from));
  });

  it("is not kept when none of the nodes is left", () => {
    const view = keptPlace(from, {
      ...given,
      before: { layout: mapOf(Uint32Array.of(1, 2)), model: fleet },
      after: { layout: mapOf(Uint32Array.of(3, 4)), model: fleet },
    });
    expect(view).toBeUndefined();
  });
});

describe("what is bad about a node", () => {
  const mixed = fleetOf([5], { cells: ["psufp", "pufpw"], standings: "psffw" });

  it("is its worst check: one that failed before one that is suspect or unknown", () => {
    expect([1, 2, 3].map((node) => badCheckOf(mixed, node))).toEqual([0, 1, 0]);
    expect(badCheckOf(fleetOf([1], { cells: ["p", "u"], standings: "u" }), 0)).toBe(1);
  });

  it("is nothing where all checks passed or warn", () => {
    expect([0, 4].map((node) => badCheckOf(mixed, node))).toEqual([undefined, undefined]);
  });
});

describe("a fleet seen through one check", () => {
  const cells = ["pf", "fp"];
  const both = fleetOf([2], { cells, standings: "ff" });

  it("stands as that check went", () => {
    const storage = ofCheck(both, "storage-io");
    expect([0, 1].map((node) => standingAt(storage, node))).toEqual(["fail", "pass"]);
    expect([0, 1].map((node) => codeAt(storage, node, 0))).toEqual([4, 0]);
    expect(storage.checks).toEqual(["storage-io"]);
  });

  it("is the whole fleet without a check, or with one that it does not have", () => {
    expect(ofCheck(both, undefined)).toBe(both);
    expect(ofCheck(both, "no-such")).toBe(both);
  });
});

describe("nodes that are closed to users", () => {
  const shown = (closed: "by-tessera" | "by-others" | "not") => [
    ...shownNodes(model, { ...everything, closed }),
  ];

  it("are shown by who closed them, or those that are open", () => {
    expect(shown("by-tessera")).toEqual([1]);
    expect(shown("by-others")).toEqual([2]);
    expect(shown("not")).toEqual([0, 3, 4, 5]);
  });
});
