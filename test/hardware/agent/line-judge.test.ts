import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SeenXid } from "../../../src/hardware/agent/agent-options.ts";
import { LineJudge } from "../../../src/hardware/agent/detector/line-judge.ts";
import type { HardwareFault } from "../../../src/hardware/objects/index.ts";
import { armedFault, xidAction } from "./support/fake-hardware.ts";

const id = "0123456789ab";
const seen = (more: Partial<SeenXid> = {}): SeenXid => ({
  xid: 79,
  pci: "0000:3b:00",
  fatal: true,
  ...more,
});
const record = (sequence: number, atMs = sequence) => ({
  sequence,
  priority: 11,
  timestampUs: atMs * 1000,
  text: "",
});
const faultsWith = (...names: readonly string[]): ReadonlyMap<string, HardwareFault> =>
  new Map(names.map((name) => [name, armedFault(`fault-${name}`, xidAction(name), { nowMs: 0 })]));
const none = faultsWith();

/** One that has read what was there. */
function running(dealtWithTo?: number): LineJudge {
  const judge = new LineJudge({ dealtWithTo });
  judge.endBacklog();
  return judge;
}

describe("which lines count", () => {
  it("one of the hardware does, one that tells of no XID does not", () => {
    const judge = running();
    expect(judge.judge(record(1), seen(), none).kind).toBe("counts");
    expect(judge.judge(record(2), undefined, none).kind).toBe("none");
  });

  it("the same one again does not within a minute, and does after it", () => {
    const judge = running();
    expect(judge.judge(record(1, 0), seen(), none).kind).toBe("counts");
    expect(judge.judge(record(2, 59_999), seen(), none).kind).toBe("duplicate");
    expect(judge.judge(record(3, 60_000), seen(), none).kind).toBe("counts");
  });

  it("another XID and another GPU do", () => {
    const judge = running();
    expect(judge.judge(record(1), seen(), none).kind).toBe("counts");
    expect(judge.judge(record(2), seen({ xid: 48 }), none).kind).toBe("counts");
    expect(judge.judge(record(3), seen({ pci: "0000:4c:00" }), none).kind).toBe("counts");
  });

  it("a line of a fault counts once, and two injections back to back count each", () => {
    const judge = running();
    const other = "f".repeat(12);
    const faults = faultsWith(id, other);
    expect(judge.judge(record(1), seen({ correlationId: id }), faults).kind).toBe("counts");
    expect(judge.judge(record(2), seen({ correlationId: id }), faults).kind).toBe("duplicate");
    expect(judge.judge(record(3), seen({ correlationId: other }), faults).kind).toBe("counts");
    const second = seen({ correlationId: id, xid: 154 });
    expect(judge.judge(record(4), second, faults).kind).toBe("counts");
  });

  it("a line whose fault has ended, or that no fault has written, does not", () => {
    const judge = running();
    const line = seen({ correlationId: id });
    expect(judge.judge(record(1), line, none).kind).toBe("over");
    const end = { reason: "requested" as const, at: "", by: "" };
    const fault = armedFault("one", xidAction(id), { nowMs: 0, end });
    expect(judge.judge(record(2), line, new Map([[id, fault]])).kind).toBe("over");
  });

  it("of what was there before, only what is newer than the last time does", () => {
    const judge = new LineJudge({ dealtWithTo: 5 });
    expect(judge.judge(record(5), seen(), none).kind).toBe("old");
    expect(judge.judge(record(6), seen(), none).kind).toBe("counts");
  });

  it("the first time of all, nothing that was there does", () => {
    const judge = new LineJudge({ dealtWithTo: undefined });
    expect(judge.judge(record(900), seen(), none).kind).toBe("old");
    judge.endBacklog();
    expect(judge.judge(record(901), seen(), none).kind).toBe("counts");
  });

  it("a line of a live fault does, however old", () => {
    const judge = new LineJudge({ dealtWithTo: 100 });
    const line = seen({ correlationId: id });
    expect(judge.judge(record(3), line, faultsWith(id)).kind).toBe("counts");
  });

  it("numbers of a file that began anew do not matter once it is read", () => {
    const judge = running(5000);
    expect(judge.judge(record(0), seen(), none).kind).toBe("counts");
  });

  it("never twice for a storm of lines, whatever else is in it", () => {
    const line = fc.record({ xid: fc.constantFrom(48, 79), pci: fc.constantFrom("a", "b") });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 200 }), (lines) => {
        const judge = running();
        const kinds = lines.map((one, at) => judge.judge(record(at), seen(one), none).kind);
        const distinct = new Set(lines.map(({ xid, pci }) => `${xid} ${pci}`));
        expect(kinds.filter((kind) => kind === "counts")).toHaveLength(distinct.size);
      }),
    );
  });
});
