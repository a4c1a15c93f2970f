import { describe, expect, it } from "vitest";
import { hardwareItems } from "../../../src/cli/stress/hardware-items.ts";
import type { HardwareNotes } from "../../../src/runtime/stress/index.ts";

const spread = (value: number) => ({ min: value, median: value, max: value });

function notes(over: {
  readonly changes?: Partial<HardwareNotes["changes"]>;
  readonly summary?: Partial<HardwareNotes["summary"]>;
  readonly xids?: readonly number[];
  readonly unknown?: readonly string[];
}): HardwareNotes {
  return {
    summary: {
      readings: 10,
      durationMs: 1000,
      spreads: {
        smClockMhz: spread(1700),
        memoryClockMhz: null,
        powerW: spread(690),
        temperatureC: spread(61),
        memoryTemperatureC: null,
        utilizationPercent: null,
        memoryUsedBytes: null,
      },
      throttleMs: {},
      slowedMs: 0,
      problem: null,
      ...over.summary,
    },
    changes: {
      eccCorrected: 0,
      eccUncorrected: 0,
      remappedRowsCorrectable: 0,
      remappedRowsUncorrectable: 0,
      retiredPages: null,
      pcieReplays: 0,
      nvlinkErrors: 0,
      energyMj: 5,
      remapBecamePending: false,
      ...over.changes,
    },
    xids: (over.xids ?? []).map((xid) => ({
      atMs: 1,
      pciBusId: "0000:19:00.0",
      xid,
      text: "text",
    })),
    unknown: over.unknown ?? [],
  };
}

const statuses = (over: Parameters<typeof notes>[0]) =>
  hardwareItems(notes(over)).map(({ status }) => status);

describe("the hardware in a stress report", () => {
  it("passes when nothing moved but the energy", () => {
    expect(statuses({})).toEqual(["pass", "pass"]);
  });

  it.each([
    { changes: { eccUncorrected: 1 } },
    { changes: { remappedRowsUncorrectable: 2 } },
    { xids: [79] },
    { xids: [13, 48] },
  ])("fails for %j", (over) => {
    expect(statuses(over)[0]).toBe("fail");
  });

  it.each([{ changes: { eccCorrected: 9 } }, { changes: { pcieReplays: 1 } }, { xids: [13] }])(
    "remarks %j and does not fail",
    (over) => {
      expect(statuses(over)[0]).toBe("warn");
    },
  );

  it("does not call healthy what was not read", () => {
    const [errors] = hardwareItems(notes({ changes: { eccUncorrected: null } }));
    expect(errors).toMatchObject({ status: "skipped", label: "not read" });
    const [, clocks] = hardwareItems(notes({ summary: { readings: 0 } }));
    expect(clocks).toMatchObject({ status: "skipped", label: "not read" });
  });

  it("says what could not be read", () => {
    const [errors] = hardwareItems(notes({ unknown: ["the kernel log"] }));
    expect(errors?.reason).toContain("Not read: the kernel log.");
  });

  it("remarks heat and the power supply, and takes a power cap as usual", () => {
    const hot = hardwareItems(notes({ summary: { throttleMs: { "hw-thermal": 250 } } }));
    expect(hot[1]).toMatchObject({ status: "warn" });
    expect(hot[1]?.reason).toContain("hw-thermal 25% of the time");
    expect(statuses({ summary: { throttleMs: { "sw-power-cap": 900 } } })[1]).toBe("pass");
  });
});
