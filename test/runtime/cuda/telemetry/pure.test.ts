import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  counterChanges,
  type GpuCounters,
  normalizePciBusId,
  slowsDown,
} from "../../../../src/runtime/cuda/telemetry/index.ts";
import { spreadOf } from "../../../../src/runtime/cuda/telemetry/reading-summary.ts";
import { throttleReasons } from "../../../../src/runtime/cuda/telemetry/throttle-reasons.ts";

const counters: GpuCounters = {
  eccCorrected: 10,
  eccUncorrected: 0,
  remappedRowsCorrectable: 1,
  remappedRowsUncorrectable: 0,
  remapPending: false,
  remapFailed: false,
  retiredPages: null,
  pcieReplays: 100,
  nvlinkErrors: 0,
  energyMj: 5000,
};

describe("changes of counters", () => {
  it("are what was added", () => {
    const after = { ...counters, eccCorrected: 12, energyMj: 9000, remapPending: true };
    expect(counterChanges(counters, after)).toEqual({
      eccCorrected: 2,
      eccUncorrected: 0,
      remappedRowsCorrectable: 0,
      remappedRowsUncorrectable: 0,
      remapBecamePending: true,
      retiredPages: null,
      pcieReplays: 0,
      nvlinkErrors: 0,
      energyMj: 4000,
    });
  });

  it("are unknown where one side is", () => {
    const after = { ...counters, eccUncorrected: null, remapPending: null, retiredPages: 4 };
    expect(counterChanges(counters, after)).toMatchObject({
      eccUncorrected: null,
      remapBecamePending: null,
      retiredPages: null,
    });
  });

  it("of a counter that was set back are what it shows now", () => {
    expect(counterChanges(counters, { ...counters, pcieReplays: 3 }).pcieReplays).toBe(3);
  });

  it("a row that waited before does not begin to wait", () => {
    const waiting = { ...counters, remapPending: true };
    expect(counterChanges(waiting, waiting).remapBecamePending).toBe(false);
  });
});

describe("reasons to run below full clocks", () => {
  it.each([
    [0n, []],
    [0x1n, ["gpu-idle"]],
    [0x4n, ["sw-power-cap"]],
    [0x48n, ["hw-slowdown", "hw-thermal"]],
    [0x1ffn, expect.arrayContaining(["sync-boost", "display-clocks", "hw-power-brake"])],
    [0x800n, ["other"]],
    [0x10001n, ["gpu-idle", "other"]],
  ])("%d", (bits, reasons) => {
    expect(throttleReasons(bits)).toEqual(reasons);
  });

  it("slow a GPU down unless it is idle or somebody set its clocks", () => {
    expect(["gpu-idle", "applications-clocks", "display-clocks"].filter(isSlow)).toEqual([]);
    expect(["sw-power-cap", "hw-thermal", "other"].filter(isSlow)).toHaveLength(3);
  });
});

function isSlow(reason: string): boolean {
  return slowsDown(reason as Parameters<typeof slowsDown>[0]);
}

describe("a PCI address", () => {
  it.each([
    ["00000000:19:00.0", "0000:19:00.0"],
    ["0000:9B:00.0", "0000:9b:00.0"],
    ["PCI:0000:9b:00", "0000:9b:00.0"],
    ["0018:01:00", "0018:01:00.0"],
    ["00010000:01:00.0", "10000:01:00.0"],
  ])("%s is %s", (text, normal) => {
    expect(normalizePciBusId(text)).toBe(normal);
  });

  it.each(["", "19:00.0", "0000:19:00.0.0", "0000-19-00", "GPU-1"])("%s is none", (text) => {
    expect(normalizePciBusId(text)).toBeUndefined();
  });

  it("is the same when it is written again", () => {
    const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`));
    fc.assert(
      fc.property(digits(4), digits(2), digits(2), (domain, bus, device) => {
        const once = normalizePciBusId(`0000${domain}:${bus}:${device}.0`.toUpperCase());
        expect(once).toBe(`${domain}:${bus}:${device}.0`);
        expect(normalizePciBusId(once ?? "")).toBe(once);
      }),
    );
  });
});

describe("the spread of values", () => {
  it("of none is null", () => {
    expect(spreadOf([])).toBeNull();
  });

  it("holds the smallest, the middle and the largest, in any order", () => {
    const numbers = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1 });
    fc.assert(
      fc.property(numbers, (values) => {
        const spread = spreadOf(values);
        expect(spread?.min).toBe(Math.min(...values));
        expect(spread?.max).toBe(Math.max(...values));
        const below = values.filter((value) => value < (spread?.median ?? 0)).length;
        const above = values.filter((value) => value > (spread?.median ?? 0)).length;
        expect(Math.max(below, above)).toBeLessThanOrEqual(values.length / 2);
        expect(spreadOf(values.toReversed())).toEqual(spread);
      }),
    );
  });
});
