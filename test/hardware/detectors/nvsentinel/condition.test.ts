import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { conditionsAfter } from "../../../../src/hardware/detectors/nvsentinel/condition.ts";
import {
  healthyEvent,
  type XidReading,
  xidEvent,
} from "../../../../src/hardware/detectors/nvsentinel/health-event.ts";
import type { NodeCondition } from "../../../../src/hardware/objects/index.ts";

const ready: NodeCondition = { type: "Ready", status: "True" };
const atMs = Date.parse("2026-11-15T09:02:37.500Z");

function event(reading: Partial<XidReading> = {}, line = "the line; with more") {
  const whole: XidReading = { xid: 79, pci: "0000:3b:00", action: "RESTART_BM", ...reading };
  return xidEvent(whole, { node: "n1", line, atMs, id: "1" });
}

function message(conditions: readonly NodeCondition[] | undefined): string {
  return conditions?.find(({ type }) => type === "SysLogsXIDError")?.message ?? "";
}

describe("conditionsAfter", () => {
  it("adds the condition and leaves the others alone", () => {
    expect(conditionsAfter([ready], event(), 0)).toEqual([
      ready,
      {
        type: "SysLogsXIDError",
        status: "True",
        reason: "SysLogsXIDErrorIsNotHealthy",
        message: "ErrorCode:79 PCI:0000:3b:00 the line. with more Recommended Action=RESTART_BM;",
        lastHeartbeatTime: "2026-11-15T09:02:37Z",
        lastTransitionTime: "2026-11-15T09:02:37Z",
      },
    ]);
  });

  it("sets none for an event that is not fatal", () => {
    expect(conditionsAfter([ready], event({ action: "NONE" }), 0)).toBeUndefined();
  });

  it("does not repeat a message, and adds another", () => {
    const once = conditionsAfter([], event(), 0) ?? [];
    expect(message(conditionsAfter(once, event(), 0))).toBe(message(once));
    const both = conditionsAfter(once, event({ xid: 48, action: "COMPONENT_RESET" }), 0);
    expect(message(both).split(";").filter(Boolean)).toHaveLength(2);
    // Without the GPU's UUID a reset becomes a restart.
    expect(message(both)).toContain("Recommended Action=RESTART_VM;");
  });

  it("is cleared for one address, or for all", () => {
    const first = conditionsAfter([], event(), 0) ?? [];
    const two = conditionsAfter(first, event({ pci: "0000:5d:00" }), 0) ?? [];
    const entities = [{ entityType: "PCI", entityValue: "0000:3b:00" }];
    const one = conditionsAfter(two, healthyEvent({ node: "n1", atMs, id: "2", entities }), 0);
    expect(message(one)).toContain("PCI:0000:5d:00");
    expect(message(one)).not.toContain("PCI:0000:3b:00 ");
    const none = conditionsAfter(two, healthyEvent({ node: "n1", atMs, id: "3" }), 0);
    expect(none).toMatchObject([
      { status: "False", reason: "SysLogsXIDErrorIsHealthy", message: "No Health Failures" },
    ]);
    expect(message(conditionsAfter(none ?? [], event(), 0))).not.toContain("No Health");
  });

  it("never writes more than 1024 bytes, and keeps code and address of what it shortens", () => {
    const fault = fc.record({
      xid: fc.integer({ min: 1, max: 170 }),
      pci: fc.constantFrom("0000:3b:00", "0000:5d:00", "0000:9c:00"),
      line: fc.string({ maxLength: 400, unit: "grapheme" }),
    });
    fc.assert(
      fc.property(fc.array(fault, { minLength: 1, maxLength: 30 }), (faults) => {
        let conditions: readonly NodeCondition[] = [];
        for (const { xid, pci, line } of faults)
          conditions = conditionsAfter(conditions, event({ xid, pci }, line), 0) ?? conditions;
        expect(Buffer.byteLength(message(conditions))).toBeLessThanOrEqual(1024);
        expect(message(conditions)).toMatch(/^ErrorCode:\d+ PCI:/);
      }),
    );
  });
});
