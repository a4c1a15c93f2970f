import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  cellOf,
  rescaled,
  smallestScale,
  spotAt,
} from "../../../web/src/pages/fleet/heat/layout.ts";
import { fleetOf, laidOut } from "./support.ts";

const racksArbitrary = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 40 });
const modeArbitrary = fc.constantFrom("checks" as const, "nodes" as const);

describe("the layout of the heat map", () => {
  it("gives every cell of every node a place of its own", () => {
    fc.assert(
      fc.property(racksArbitrary, modeArbitrary, (racks, mode) => {
        const layout = laidOut(fleetOf(racks), { mode });
        const taken = new Set<string>();
        for (let slot = 0; slot < layout.order.length; slot++) {
          const { x, y } = cellOf(layout, slot);
          for (let check = 0; check < layout.cellsPerNode; check++) taken.add(`${x + check} ${y}`);
        }
        expect(taken.size).toBe(layout.order.length * layout.cellsPerNode);
      }),
    );
  });

  it("finds at each cell the node and check that was put there", () => {
    fc.assert(
      fc.property(racksArbitrary, modeArbitrary, (racks, mode) => {
        const layout = laidOut(fleetOf(racks), { mode });
        for (let slot = 0; slot < layout.order.length; slot++) {
          const { x, y } = cellOf(layout, slot);
          for (let check = 0; check < layout.cellsPerNode; check++) {
            expect(spotAt(layout, x + check + 0.5, y + 0.5)).toEqual({
              slot,
              check: mode === "checks" ? check : undefined,
            });
          }
        }
      }),
    );
  });

  it("finds nothing on labels, between racks and outside", () => {
    const layout = laidOut(fleetOf([4, 4]));
    const [first] = layout.blocks;
    expect(spotAt(layout, 0.5, 0.5)).toBeUndefined();
    expect(spotAt(layout, (first?.width ?? 0) + 0.5, (first?.y ?? 0) + 0.5)).toBeUndefined();
    expect(spotAt(layout, -1, -1)).toBeUndefined();
    expect(spotAt(layout, layout.width + 5, layout.height + 5)).toBeUndefined();
  });

  it("shows all of 10,000 nodes with 4 checks on a laptop's canvas", () => {
    const checks = ["a", "b", "c", "d"];
    const racks = Array.from({ length: 313 }, () => 32);
    const layout = laidOut(fleetOf(racks, { checks }), { widthPx: 1160, heightPx: 640 });
    expect(layout.fitScale).toBeGreaterThanOrEqual(smallestScale);
    expect(layout.width * layout.fitScale).toBeLessThanOrEqual(1160);
    expect(layout.height * layout.fitScale).toBeLessThanOrEqual(640);
  });

  it("keeps cells that can be told apart when there is no room for all", () => {
    const layout = laidOut(fleetOf([5000, 5000]), { widthPx: 100, heightPx: 50 });
    expect(layout.fitScale).toBe(smallestScale);
    expect(layout.height * layout.fitScale).toBeGreaterThan(50);
    expect(layout.width * layout.fitScale).toBeLessThanOrEqual(100);
  });

  it("keeps racks in their rows for larger cells, with no more than one row of cells as label", () => {
    const layout = laidOut(fleetOf(Array.from({ length: 40 }, () => 12)), { heightPx: 200 });
    const near = rescaled(layout, 40, 1);
    expect(layout.header).toBeGreaterThan(1);
    expect(near.header).toBe(1);
    const rowsOf = (map: typeof layout) => map.blocks.map((block) => block.x === 0);
    expect(rowsOf(near)).toEqual(rowsOf(layout));
    expect(rescaled(near, layout.fitScale, 1)).toEqual(layout);
  });

  it("is empty without nodes", () => {
    const layout = laidOut(fleetOf([]));
    expect(layout).toMatchObject({ width: 0, height: 0, blocks: [] });
  });

  it("keeps nodes that are left out away", () => {
    const layout = laidOut(fleetOf([2, 2]), { order: Uint32Array.of(1, 3) });
    expect([...layout.slotOf]).toEqual([-1, 0, -1, 1]);
    expect(layout.blocks.map(({ count }) => count)).toEqual([1, 1]);
  });
});
