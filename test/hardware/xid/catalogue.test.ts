import { describe, expect, it } from "vitest";
import {
  cudaCodesOf,
  injectableXid,
  sxidReaction,
  touchesMachine,
  wordsFor,
  xidCatalogue,
  xidEntry,
  xidSources,
} from "../../../src/hardware/xid/index.ts";
import { reactions } from "./fixtures.ts";

describe("the catalogue of XIDs", () => {
  it("has every number that a detector knows, with what each does", () => {
    for (const { xid, nvsentinel, gpud } of reactions.xid) {
      const entry = xidEntry(xid);
      if (entry === undefined) {
        expect({ xid, nvsentinel, gpud }).toEqual({
          xid,
          nvsentinel: { action: "CONTACT_SUPPORT", isFatal: true },
          gpud: null,
        });
      } else {
        expect({ xid, nvsentinel: entry.nvsentinel, gpud: entry.gpud }).toEqual({
          xid,
          nvsentinel,
          gpud,
        });
      }
    }
    expect(xidCatalogue.map(({ xid }) => xid)).toEqual(
      Array.from({ length: 173 }, (_, n) => n + 1),
    );
  });

  it("has every SXid that gpud knows, and no other", () => {
    for (const { sxid, gpud } of reactions.sxid) expect(sxidReaction(sxid)).toEqual(gpud);
    expect(sxidReaction(99_999)).toBeNull();
  });

  it("counts the actions of NVSentinel as they were counted", () => {
    const count = (action: string) =>
      xidCatalogue.filter(({ xid, nvsentinel }) => xid <= 172 && nvsentinel.action === action)
        .length;
    expect([count("NONE"), count("COMPONENT_RESET")]).toEqual([70, 15]);
    expect([count("RESTART_BM"), count("RESTART_VM")]).toEqual([1, 1]);
    expect(count("CONTACT_SUPPORT")).toBe(85);
  });

  it.each([
    [13, 719],
    [31, 700],
    [43, 719],
    [46, 702],
    [48, 214],
    [74, 220],
    [94, 226],
    [95, 214],
    [109, 702],
    [119, 999],
    [149, 220],
  ])("XID %i is CUDA error %i at work", (xid, inFlight) => {
    expect(cudaCodesOf(xid).inFlight).toBe(inFlight);
  });

  it("a GPU off the bus is unknown to those at work and missing to those that start", () => {
    expect(cudaCodesOf(79)).toEqual({ inFlight: 999, onInit: 100, sticky: true });
  });

  it("an error of one process does not keep the next from starting, one of the GPU does", () => {
    expect(cudaCodesOf(31).onInit).toBe(0);
    expect(cudaCodesOf(48).onInit).toBe(214);
  });

  it.each([63, 154, 5000])("XID %i has no CUDA error", (xid) => {
    expect(() => cudaCodesOf(xid)).toThrow(expect.objectContaining({ code: "E_XID_UNKNOWN" }));
  });

  it("lets those be injected that both detectors know", () => {
    expect(injectableXid(79).name).toBe("GPU has fallen off the bus");
    for (const xid of [0, 133, 174, 999, 1.5, Number.NaN]) {
      expect(() => injectableXid(xid)).toThrow(expect.objectContaining({ code: "E_XID_UNKNOWN" }));
    }
  });

  it("says which XIDs would really touch the machine", () => {
    for (const xid of [46, 48, 79, 95, 119, 149, 151, 154]) {
      expect({ xid, touches: xidEntry(xid)?.realReboot }).toEqual({ xid, touches: true });
    }
    for (const xid of [13, 31, 43, 45, 63, 74, 94]) {
      expect({ xid, touches: xidEntry(xid)?.realReboot }).toEqual({ xid, touches: false });
    }
    expect(touchesMachine("CONTACT_SUPPORT")).toBe(false);
  });

  it("has a name for everything, and words for every action", () => {
    for (const { name, immediateAction, investigatoryAction } of xidCatalogue) {
      expect(name).toMatch(/^[A-Z]/);
      for (const action of [immediateAction, investigatoryAction]) {
        expect(wordsFor(action)).not.toContain("NVIDIA calls it");
      }
    }
    expect(wordsFor("NEW_ONE")).toBe("NVIDIA calls it NEW_ONE.");
  });

  it("says what it was made from", () => {
    expect(xidSources.catalogue.sha256).toMatch(/^7f70ce96[\da-f]{56}$/);
  });
});
