import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  draggedRange,
  momentAt,
  shareOf,
  visiblePart,
} from "../../../web/src/pages/experiments/model/time-scale.ts";

const range = fc
  .tuple(
    fc.double({ min: 0, max: 1e5, noNaN: true }),
    fc.double({ min: 1e-3, max: 1e5, noNaN: true }),
  )
  .map(([fromS, length]) => ({ fromS, toS: fromS + length }));

describe("places on the axis", () => {
  it("come back as the moments they were", () => {
    fc.assert(
      fc.property(range, fc.double({ min: 0, max: 1, noNaN: true }), (one, share) => {
        expect(shareOf(one, momentAt(one, share))).toBeCloseTo(share, 3);
      }),
    );
  });

  it("cut a span that is only partly in sight", () => {
    const part = visiblePart({ fromS: 0, toS: 10 }, { fromS: 5, toS: 20 });
    expect(part).toEqual({ left: 0.5, width: 0.5 });
  });

  it("have no room for a span that is out of sight", () => {
    expect(visiblePart({ fromS: 0, toS: 10 }, { fromS: 11, toS: 20 })).toBeUndefined();
  });
});

describe("a range dragged by hand", () => {
  it("is the same from either side", () => {
    const whole = { fromS: 0, toS: 10 };
    expect(draggedRange(whole, 0.2, 0.6)).toEqual({ fromS: 2, toS: 6 });
    expect(draggedRange(whole, 0.6, 0.2)).toEqual({ fromS: 2, toS: 6 });
  });

  it("is none when it was a click", () => {
    expect(draggedRange({ fromS: 0, toS: 10 }, 0.5, 0.501)).toBeUndefined();
  });
});
