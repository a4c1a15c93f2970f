import { describe, expect, it } from "vitest";
import {
  nvSentinelActionOf,
  reactionsTo,
  readXidLine,
  xidLine,
} from "../../../src/hardware/detectors/index.ts";

const lineOf = (parts: Parameters<typeof xidLine>[0]): string => {
  const written = xidLine(parts);
  return "line" in written ? written.line : written.problem;
};

describe("the reactions of detectors", () => {
  it("are those of the line: NVSentinel and gpud read it, DCGM never does", () => {
    expect(reactionsTo(lineOf({ xid: 79 }))).toMatchObject({
      nvsentinel: { matched: true, action: "RESTART_BM" },
      gpud: { eventType: "Fatal" },
      dcgm: { real: "fail" },
    });
    expect(reactionsTo("something else")).toEqual({
      nvsentinel: { matched: false, action: "NONE" },
      gpud: null,
      dcgm: { real: null },
    });
  });

  it("follow the text where that decides", () => {
    expect(nvSentinelActionOf(154, "to 0x2 (Node Reboot Required)")).toBe("RESTART_BM");
    expect(nvSentinelActionOf(154, "to 0x0 (None)")).toBe("NONE");
    expect(nvSentinelActionOf(43)).toBe("NONE");
    expect(nvSentinelActionOf(998)).toBe("CONTACT_SUPPORT");
  });

  it("says why a line cannot be written", () => {
    expect(xidLine({ xid: 998 })).toHaveProperty("problem");
    expect(xidLine({ xid: 79, text: "a\nb" })).toHaveProperty("problem");
  });
});

describe("readXidLine", () => {
  it("reads what the simulator needs, and nothing in other lines", () => {
    expect(readXidLine(lineOf({ xid: 79, pci: "0000:3b:00" }))).toEqual({
      xid: 79,
      pci: "0000:3b:00",
      action: "RESTART_BM",
    });
    expect(readXidLine("usb 1-1: new device")).toBeUndefined();
  });
});
