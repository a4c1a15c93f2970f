import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { step, stepRack } from "../../../web/src/pages/fleet/heat/cursor.ts";
import { commandOf } from "../../../web/src/pages/fleet/heat/keys.ts";
import {
  blockNear,
  cellOf,
  rescaled,
  type Spot,
} from "../../../web/src/pages/fleet/heat/layout.ts";
import {
  fit,
  largestScale,
  nextScale,
  panned,
  revealing,
  zoomed,
} from "../../../web/src/pages/fleet/heat/viewport.ts";
import { fleetOf, laidOut } from "./support.ts";

const layout = laidOut(fleetOf([6, 6, 6]), { widthPx: 200 });
const directions = ["left", "right", "up", "down"] as const;

function press(key: string, cursor?: Spot, shiftKey = false) {
  return commandOf(
    { key, shiftKey },
    { layout, cursor, badCheck: (node) => (node === 4 ? 1 : undefined) },
  );
}

describe("walking through the map", () => {
  it("stays on cells that exist, whatever keys are pressed", () => {
    const racks = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(
        racks,
        fc.array(fc.constantFrom(...directions), { maxLength: 40 }),
        (racks, keys) => {
          const map = laidOut(fleetOf(racks), { widthPx: 300 });
          let spot: Spot = { slot: 0, check: 0 };
          for (const key of keys) {
            spot = step(map, spot, key);
            expect(spot.slot).toBeGreaterThanOrEqual(0);
            expect(spot.slot).toBeLessThan(map.order.length);
            expect(spot.check).toBeGreaterThanOrEqual(0);
            expect(spot.check).toBeLessThan(map.cellsPerNode);
          }
        },
      ),
    );
  });

  it("goes right through the checks of a node, and then to what is right of it", () => {
    const second = step(layout, { slot: 0, check: 0 }, "right");
    expect(second).toEqual({ slot: 0, check: 1 });
    const beyond = step(layout, second, "right");
    expect(cellOf(layout, beyond.slot).x).toBeGreaterThan(cellOf(layout, 0).x);
    expect(beyond.check).toBe(0);
  });

  it("goes into the rack beside and back into the one it came from", () => {
    const edge: Spot = { slot: 5, check: 1 };
    const over = step(layout, edge, "right");
    expect(layout.blockOf[over.slot]).toBe(1);
    expect(layout.blockOf[step(layout, over, "left").slot]).toBe(0);
  });

  it("stops at the edges of the map", () => {
    expect(step(layout, { slot: 0, check: 0 }, "left")).toEqual({ slot: 0, check: 0 });
    expect(step(layout, { slot: 0, check: 0 }, "up")).toEqual({ slot: 0, check: 0 });
    expect(stepRack(layout, { slot: 0, check: 0 }, -1)).toEqual({ slot: 0, check: 0 });
  });
});

describe("keys on the map", () => {
  it("put the cursor down first, then move it", () => {
    expect(press("ArrowDown")).toEqual({ kind: "move", to: { slot: 0, check: 0 } });
    expect(press("ArrowDown", { slot: 0, check: 0 })).toEqual({
      kind: "move",
      to: { slot: 1, check: 0 },
    });
    expect(press("PageDown", { slot: 1, check: 0 })).toMatchObject({ to: { slot: 6 } });
    expect(press("End")).toMatchObject({ to: { slot: 17 } });
  });

  it("jump to the bad cell of the next bad node, all around the map", () => {
    expect(press("n", { slot: 9, check: 0 })).toEqual({ kind: "move", to: { slot: 4, check: 1 } });
    const whole = commandOf(
      { key: "n", shiftKey: false },
      { layout: laidOut(fleetOf([6]), { mode: "nodes" }), cursor: undefined, badCheck: () => 1 },
    );
    expect(whole).toEqual({ kind: "move", to: { slot: 0, check: undefined } });
    const good = commandOf(
      { key: "n", shiftKey: false },
      { layout, cursor: undefined, badCheck: () => undefined },
    );
    expect(good).toBeUndefined();
  });

  it("zoom, move and show all", () => {
    expect(press("+")).toEqual({ kind: "zoom", step: 1 });
    expect(press("-")).toEqual({ kind: "zoom", step: -1 });
    expect(press("0")).toEqual({ kind: "fit" });
    expect(press("ArrowLeft", undefined, true)).toEqual({ kind: "pan", direction: "left" });
  });

  it("leave all other keys to the page, and open nothing without a cursor", () => {
    expect(press("Tab")).toBeUndefined();
    expect(press("?")).toBeUndefined();
    expect(press("Enter")).toBeUndefined();
    expect(press("Enter", { slot: 0, check: 0 })).toEqual({ kind: "open" });
    expect(press("Escape", { slot: 0, check: 0 })).toEqual({ kind: "leave" });
  });
});

describe("the part in sight", () => {
  const size = { widthPx: 300, heightPx: 200 };
  const extent = { width: 100, height: 80, fitScale: 2 };

  it("keeps the rack under the pointer where it is while there is map around it", () => {
    const before = laidOut(fleetOf(Array.from({ length: 60 }, () => 16)), size);
    const scale = nextScale(20, 1, before);
    const after = rescaled(before, scale, 1);
    const from = { scale: 20, x: 500, y: 500 };
    const x = (from.x + 150) / from.scale;
    const y = (from.y + 100) / from.scale;
    const index = blockNear(before, x, y);
    const near = zoomed(from, scale, { x: 150, y: 100, before, after, size });
    expect((near.x + 150) / scale - (after.blocks[index]?.x ?? 0)).toBeCloseTo(
      x - (before.blocks[index]?.x ?? 0),
      1,
    );
    expect((near.y + 100) / scale - (after.blocks[index]?.y ?? 0)).toBeCloseTo(
      y - (before.blocks[index]?.y ?? 0),
      1,
    );
  });

  it("never leaves the map, nor goes further away than all of it", () => {
    const steps = fc.array(fc.constantFrom<1 | -1>(1, -1), { maxLength: 60 });
    const whole = laidOut(fleetOf([9, 9, 9, 9, 9, 9, 9]), size);
    fc.assert(
      fc.property(steps, fc.integer({ min: -9999, max: 9999 }), (all, by) => {
        let view = fit(whole, size);
        let before = whole;
        for (const one of all) {
          const scale = nextScale(view.scale, one, whole);
          const after = rescaled(whole, scale, 1);
          view = zoomed(view, scale, { x: 10, y: 10, before, after, size });
          before = after;
        }
        view = panned(view, { x: by, y: -by }, { layout: before, size });
        expect(view.scale).toBeGreaterThanOrEqual(whole.fitScale);
        expect(view.scale).toBeLessThanOrEqual(largestScale);
        expect(Number.isInteger(view.x) && Number.isInteger(view.y)).toBe(true);
        expect(view.x).toBeGreaterThanOrEqual(0);
        expect(view.x).toBeLessThanOrEqual(Math.max(0, before.width * view.scale - size.widthPx));
        expect(view.y).toBeLessThanOrEqual(Math.max(0, before.height * view.scale - size.heightPx));
      }),
    );
  });

  it("moves to a cell that is out of sight and not to one that is in it", () => {
    const from = { scale: 20, x: 0, y: 0 };
    const within = { layout: extent, size };
    expect(revealing(from, { x: 3, y: 3, width: 2 }, within)).toEqual(from);
    expect(revealing(from, { x: 50, y: 3, width: 2 }, within)).toEqual({ ...from, x: 740 });
  });
});
