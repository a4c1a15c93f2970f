import { describe, expect, test } from "vitest";
import {
  figuresFrom,
  ratiosTo,
  storageFigures,
  wantedFigures,
} from "../../../../src/validation/checks/storage-io/figures.ts";
import { storagePatterns } from "../../../../src/validation/checks/storage-io/options.ts";

describe("the figures", () => {
  test("are those that are promised, when every pattern ran", () => {
    expect(wantedFigures(storagePatterns).toSorted()).toEqual(
      Object.keys(storageFigures).toSorted(),
    );
  });

  test("of several rounds are one figure", () => {
    const figures = figuresFrom([{ read_bw: [1, 2] }, { read_p99_ms: [5] }, { read_bw: [3] }]);
    expect(figures).toEqual({
      read_bw: { samples: [1, 2, 3], higherIsBetter: true, unit: "GB/s" },
      read_p99_ms: { samples: [5], higherIsBetter: false, unit: "ms" },
    });
  });
});

describe("the ratio to a control node", () => {
  const figures = figuresFrom([{ read_bw: [1, 2], read_p99_ms: [6] }]);

  test("keeps the direction and the samples of each figure the control has", () => {
    expect(ratiosTo({ figures: { read_bw: [3, 4, 5, 4], read_p99_ms: 3 } }, figures)).toEqual({
      read_bw_ratio: { samples: [0.25, 0.5], higherIsBetter: true, unit: "x" },
      read_p99_ms_ratio: { samples: [2], higherIsBetter: false, unit: "x" },
    });
  });

  test("is not made up for what the control has not measured", () => {
    expect(ratiosTo({ figures: { write_bw: 3 } }, figures)).toEqual({});
  });
});
