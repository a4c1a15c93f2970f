import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { heatColours, mix, packed, readableOn } from "../../../web/src/pages/fleet/heat/colours.ts";
import { hasSameNodes, paintAll, paintChanged } from "../../../web/src/pages/fleet/heat/pixels.ts";
import { fleetOf, laidOut } from "./support.ts";

const { palette } = heatColours({
  standings: {
    pass: [0, 128, 0],
    warn: [200, 160, 0],
    suspect: [200, 90, 0],
    fail: [200, 0, 0],
    unknown: [120, 60, 200],
    untested: [90, 100, 110],
  },
  ground: [255, 255, 255],
  ink: [0, 0, 0],
  faint: [90, 90, 90],
  accent: [0, 0, 255],
});
const letters = fc.array(fc.constantFrom("p", "w", "s", "f", "u", "P", "F", "U", "-"), {
  minLength: 12,
  maxLength: 12,
});

describe("painting the map", () => {
  it("repaints only what changed and ends with the same picture as painting all of it", () => {
    fc.assert(
      fc.property(
        letters,
        letters,
        fc.constantFrom("checks" as const, "nodes" as const),
        (a, b, mode) => {
          const cells = (all: readonly string[]) => ({
            cells: [all.join(""), all.toReversed().join("")],
            standings: all.join(""),
          });
          const before = fleetOf([5, 7], cells(a));
          const model = fleetOf([5, 7], cells(b));
          const layout = laidOut(model, { mode });
          const pixels = new Uint32Array(layout.width * layout.height);
          const fresh = new Uint32Array(pixels.length);
          paintAll(pixels, layout, { model: before, palette, found: undefined });
          const patch = paintChanged(pixels, layout, { before, model, palette, found: undefined });
          paintAll(fresh, layout, { model, palette, found: undefined });
          expect(pixels).toEqual(fresh);
          expect(patch === undefined).toBe(a.join("") === b.join(""));
        },
      ),
    );
  });

  it("dims what the search did not find", () => {
    const model = fleetOf([2]);
    const layout = laidOut(model, { mode: "nodes" });
    const pixels = new Uint32Array(layout.width * layout.height);
    paintAll(pixels, layout, { model, palette, found: Uint8Array.of(1, 0) });
    expect(pixels.includes(palette.plain[0] ?? 0)).toBe(true);
    expect(pixels.includes(palette.dimmed[0] ?? 0)).toBe(true);
    paintAll(pixels, layout, { model, palette, found: undefined });
    expect(pixels.includes(palette.dimmed[0] ?? 0)).toBe(false);
  });

  it("knows when the nodes are others, so that the layout has to be made again", () => {
    expect(hasSameNodes(fleetOf([2, 2]), fleetOf([2, 2], { standings: "ffff" }))).toBe(true);
    expect(hasSameNodes(fleetOf([2, 2]), fleetOf([2, 3]))).toBe(false);
    expect(hasSameNodes(fleetOf([2, 2]), fleetOf([1, 3]))).toBe(false);
  });
});

describe("colours", () => {
  it("are paler for old evidence, never the same", () => {
    for (let code = 0; code < 6; code++) {
      expect(palette.plain[code]).not.toBe(palette.plain[code | 8]);
    }
  });

  it("are packed as pictures have them", () => {
    expect([...new Uint8Array(Uint32Array.of(packed([1, 2, 3])).buffer)]).toEqual([1, 2, 3, 255]);
    expect(mix([0, 0, 0], [100, 200, 50], 0.5)).toEqual([50, 100, 25]);
  });

  it("get signs that can be read on them", () => {
    expect(readableOn([255, 255, 255])).toEqual([0, 0, 0]);
    expect(readableOn([10, 40, 20])).toEqual([255, 255, 255]);
  });
});
