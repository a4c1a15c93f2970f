import { describe, expect, it } from "vitest";
import { whoCordoned } from "../../../src/hardware/detectors/index.ts";
import type { HardwareFault, NodeObject } from "../../../src/hardware/objects/index.ts";
import { causeOf, mergeNode, nodeUndoFor } from "../../../src/hardware/undo/index.ts";
import { nodeUndo, sampleSpec } from "../faults/sample.ts";

const sinceMs = Date.parse("2026-11-16T10:00:00.000Z");
const cause = { xids: [79], sinceMs };
const line = "kernel: NVRM: Xid (PCI:0000:3b:00): 79, x tessera=0123456789ab";

function event(message: string, code = "79", atMs = sinceMs + 1_000) {
  return {
    checkName: "SysLogsXIDError",
    nodeName: "n1",
    message,
    errorCode: [code],
    generatedTimestamp: { seconds: Math.floor(atMs / 1_000) },
  };
}

function closedByNvSentinel(events: readonly object[], more: object = {}): NodeObject {
  return {
    metadata: {
      name: "n1",
      annotations: {
        quarantineHealthEvent: JSON.stringify(events),
        quarantineHealthEventIsCordoned: "True",
        mine: "stays",
      },
      labels: {
        "k8saas.nvidia.com/cordon-by": "NVSentinel",
        "dgxc.nvidia.com/nvsentinel-state": "quarantined",
        zone: "a",
      },
    },
    spec: { unschedulable: true, taints: [] },
    status: {
      conditions: [
        { type: "Ready", status: "True" },
        {
          type: "SysLogsXIDError",
          status: "True",
          message: `ErrorCode:79 PCI:0000:3b:00 ${line} Recommended Action=RESTART_BM;`,
        },
      ],
    },
    ...more,
  };
}

describe("what is put back on a node", () => {
  it("is NVSentinel's cordon, annotations, labels and condition, and nothing else", () => {
    expect(mergeNode(nodeUndo("n1"), closedByNvSentinel([event(line)]), cause)).toEqual({
      uncordon: true,
      tellsNvSentinel: true,
      annotations: { quarantineHealthEvent: null, quarantineHealthEventIsCordoned: null },
      labels: { "k8saas.nvidia.com/cordon-by": null, "dgxc.nvidia.com/nvsentinel-state": null },
      conditions: { SysLogsXIDError: null },
      left: [],
    });
  });

  it("leaves a node that was closed before closed, and takes the marks away", () => {
    const undo = nodeUndo("n1", { unschedulable: true });
    const merge = mergeNode(undo, closedByNvSentinel([event(line)]), cause);
    expect(merge).toMatchObject({ uncordon: false, left: [] });
    expect(merge.annotations).toMatchObject({ quarantineHealthEvent: null });
  });

  it("leaves a node closed that somebody else closed meanwhile, and says so", () => {
    const node: NodeObject = { metadata: { name: "n1" }, spec: { unschedulable: true } };
    expect(mergeNode(nodeUndo("n1"), node, cause)).toMatchObject({
      uncordon: false,
      left: [expect.stringContaining("somebody else closed it")],
    });
  });

  it("leaves everything as NVSentinel has it when the machine is really broken", () => {
    const real = event("NVRM: Xid (PCI:0000:5d:00): 48, pid=7, DBE", "48");
    const merge = mergeNode(nodeUndo("n1"), closedByNvSentinel([event(line), real]), cause);
    expect(merge).toMatchObject({ uncordon: false, annotations: {}, labels: {} });
    expect(merge.left[0]).toContain("no test of ours (error 48)");
  });

  it.each([
    ["our code after the fault", event("GPU has fallen off the bus"), true],
    ["our code long before the fault", event("x", "79", sinceMs - 600_000), false],
    ["another code", event("x", "95"), false],
  ])("judges an event without its line by code and time: %s", (_, each, ours) => {
    expect(mergeNode(nodeUndo("n1"), closedByNvSentinel([each]), cause).uncordon).toBe(ours);
  });

  it("keeps a condition that also tells of something real", () => {
    const message = `ErrorCode:79 PCI:0000:3b:00 ${line};ErrorCode:48 PCI:0000:5d:00 NVRM: Xid (PCI:0000:5d:00): 48, x;`;
    const node = {
      metadata: { name: "n1" },
      status: { conditions: [{ type: "SysLogsXIDError", status: "True", message }] },
    };
    expect(mergeNode(nodeUndo("n1"), node, cause)).toMatchObject({
      conditions: {},
      left: [expect.stringContaining("SysLogsXIDError stays")],
    });
  });

  it("sets our own condition to False, and opens what our detector closed for a test", () => {
    const node = (mark: string, message: string): NodeObject => ({
      metadata: { name: "n1", annotations: { "tessera.dev/cordoned-for": mark } },
      spec: { unschedulable: true },
      status: { conditions: [{ type: "TesseraXidError", status: "True", message }] },
    });
    const tested = "XID 79 on GPU 0000:3b:00 tessera=0123456789ab";
    expect(mergeNode(nodeUndo("n1"), node("0123456789ab", tested), cause)).toMatchObject({
      uncordon: true,
      tellsNvSentinel: false,
      annotations: { "tessera.dev/cordoned-for": null },
      conditions: { TesseraXidError: "False" },
    });
    const real = "XID 48 on GPU 0000:3b:00";
    expect(mergeNode(nodeUndo("n1"), node("xid-48", real), cause)).toMatchObject({
      uncordon: false,
      annotations: {},
      conditions: {},
      left: [
        expect.stringContaining("no test of ours"),
        expect.stringContaining("TesseraXidError stays"),
      ],
    });
  });

  it.each([
    ["ours", { "tessera.dev/cordoned-for": "0123456789ab" }],
    [
      "NVSentinel's",
      {
        quarantineHealthEvent: JSON.stringify([event(line)]),
        quarantineHealthEventIsCordoned: "True",
      },
    ],
  ])(
    "leaves a node closed for a real XID that came under the cordon of a test, %s",
    (_, annotations) => {
      const node = (message: string): NodeObject => ({
        metadata: { name: "n1", annotations },
        spec: { unschedulable: true },
        status: {
          conditions: [{ type: "TesseraXidError", status: "True", reason: "Xid48", message }],
        },
      });
      const merge = mergeNode(nodeUndo("n1"), node("XID 48 on GPU 0000:3b:00"), cause);
      expect(merge).toMatchObject({
        uncordon: false,
        // Whoever looks next must not take it for a test's.
        annotations: { "tessera.dev/cordoned-for": "xid-48" },
        conditions: {},
      });
      expect(merge.left[0]).toContain("stays closed");
      const tested = node("XID 48 on GPU 0000:3b:00 tessera=0123456789ab");
      expect(mergeNode(nodeUndo("n1"), tested, cause).uncordon).toBe(true);
      // It was open with that condition before.
      const known = nodeUndo("n1", { conditions: { TesseraXidError: "True" } });
      expect(mergeNode(known, node("XID 48 on GPU 0000:3b:00"), cause).uncordon).toBe(true);
    },
  );

  it("puts back what had another value before", () => {
    const undo = nodeUndo("n1", {
      labels: { "dgxc.nvidia.com/nvsentinel-state": "remediation-failed" },
      conditions: { SysLogsXIDError: "False", TesseraXidError: "True" },
    });
    const merge = mergeNode(undo, closedByNvSentinel([event(line)]), cause);
    expect(merge.labels).toEqual({ "dgxc.nvidia.com/nvsentinel-state": "remediation-failed" });
    expect(merge.conditions).toEqual({ SysLogsXIDError: "False" });
  });

  it("takes NVSentinel's own taints away and leaves a user's", () => {
    const gpu = { key: "gpu-broken", value: "yes", effect: "NoSchedule" };
    const mine = { key: "mine", effect: "NoSchedule" };
    const base = closedByNvSentinel([event(line)], {
      spec: { unschedulable: true, taints: [gpu, mine] },
    });
    const node = {
      ...base,
      metadata: {
        ...base.metadata,
        annotations: {
          ...base.metadata.annotations,
          quarantineHealthEventAppliedTaints: JSON.stringify([
            { Key: "gpu-broken", Value: "yes", Effect: "NoSchedule" },
          ]),
        },
      },
    };
    expect(mergeNode(nodeUndo("n1"), node, cause).taints).toEqual([mine]);
    const had = nodeUndo("n1", { taints: [gpu] });
    expect(mergeNode(had, node, cause).taints).toBeUndefined();
  });

  it("takes NVSentinel's leftovers of a manual uncordon away", () => {
    const node: NodeObject = {
      metadata: {
        name: "n1",
        annotations: { quarantinedNodeUncordonedManually: "True" },
        labels: { "k8saas.nvidia.com/cordon-by": "NVSentinel" },
      },
    };
    expect(mergeNode(nodeUndo("n1"), node, cause)).toMatchObject({
      uncordon: false,
      annotations: { quarantinedNodeUncordonedManually: null },
      labels: { "k8saas.nvidia.com/cordon-by": null },
    });
  });

  it("is nothing on a node that nobody touched", () => {
    const node: NodeObject = { metadata: { name: "n1", labels: { zone: "a" } } };
    expect(mergeNode(nodeUndo("n1"), node, cause)).toEqual({
      uncordon: false,
      tellsNvSentinel: false,
      annotations: {},
      labels: {},
      conditions: {},
      left: [],
    });
  });
});

describe("what is remembered of a node", () => {
  it("is what detectors use, and whether it is closed", () => {
    const node = closedByNvSentinel([event(line)]);
    const undo = nodeUndoFor(node, []);
    expect(undo.before).toMatchObject({
      unschedulable: true,
      annotations: { quarantineHealthEventIsCordoned: "True" },
      conditions: { SysLogsXIDError: "True", TesseraXidError: null },
    });
    expect(undo.before.annotations).not.toHaveProperty("mine");
    expect(whoCordoned(node).by).toBe("nvsentinel");
  });

  it("is what an earlier fault in force remembers, not what it has done", () => {
    const fault: HardwareFault = {
      metadata: { name: "a" },
      spec: sampleSpec(sinceMs),
      status: { state: "observed", leaseUntil: "2026-11-16T10:00:10Z", undo: [nodeUndo("n1")] },
    };
    const node = closedByNvSentinel([event(line)]);
    expect(nodeUndoFor(node, [fault])).toEqual(nodeUndo("n1"));
    const done = { ...nodeUndo("n1"), doneAt: "2026-11-16T10:00:09Z" };
    const over: HardwareFault = { ...fault, status: { ...fault.status, undo: [done] } as never };
    expect(nodeUndoFor(node, [over]).before.unschedulable).toBe(true);
    expect(causeOf(fault)?.xids).toEqual([79]);
  });
});
