import { describe, expect, it } from "vitest";
import { detectorKeys, whoCordoned } from "../../../src/hardware/detectors/index.ts";
import { marks, type NodeObject } from "../../../src/hardware/objects/index.ts";

function node(
  unschedulable: boolean,
  annotations: Record<string, string> = {},
  labels: Record<string, string> = {},
): NodeObject {
  return { metadata: { name: "n1", annotations, labels }, spec: { unschedulable } };
}

const nvSentinelLabels = {
  "k8saas.nvidia.com/cordon-by": "NVSentinel",
  "k8saas.nvidia.com/cordon-timestamp": "2026-11-15T09-02-37Z",
};

describe("whoCordoned", () => {
  it("names NVSentinel and the time, by its annotation", () => {
    const closed = node(true, { quarantineHealthEventIsCordoned: "True" }, nvSentinelLabels);
    expect(whoCordoned(closed)).toMatchObject({
      cordoned: true,
      by: "nvsentinel",
      since: "2026-11-15T09:02:37Z",
    });
  });

  it("does not name NVSentinel for a node that was closed before it came", () => {
    const closed = node(true, {
      quarantineHealthEventIsCordoned: "True",
      quarantineHealthEventCordonPreExisting: "True",
    });
    expect(whoCordoned(closed)).toMatchObject({ cordoned: true, by: "other" });
  });

  it("does not believe labels that a manual uncordon leaves behind", () => {
    const closed = node(true, { quarantinedNodeUncordonedManually: "True" }, nvSentinelLabels);
    expect(whoCordoned(closed).by).toBe("other");
  });

  it("names our own detector by its mark, also when NVSentinel came later", () => {
    const ours = { [marks.cordonedBy]: "0123456789ab" };
    expect(whoCordoned(node(true, ours)).by).toBe("tessera");
    const later = {
      ...ours,
      quarantineHealthEventIsCordoned: "True",
      quarantineHealthEventCordonPreExisting: "True",
    };
    expect(whoCordoned(node(true, later)).by).toBe("tessera");
  });

  it("says nobody for an open node, whatever its marks", () => {
    const open = node(false, { quarantineHealthEventIsCordoned: "True" }, nvSentinelLabels);
    expect(whoCordoned(open)).toMatchObject({ cordoned: false, by: "nobody" });
  });

  it("gives no time where the label is none", () => {
    const closed = node(
      true,
      { quarantineHealthEventIsCordoned: "True" },
      { "k8saas.nvidia.com/cordon-timestamp": "yesterday" },
    );
    expect(whoCordoned(closed)).not.toHaveProperty("since");
  });
});

describe("detectorKeys", () => {
  it("names each thing once", () => {
    for (const keys of Object.values(detectorKeys)) expect(new Set(keys).size).toBe(keys.length);
    expect(detectorKeys.annotations).toContain(marks.cordonedBy);
    expect(detectorKeys.conditions).toEqual(
      expect.arrayContaining(["SysLogsXIDError", "TesseraXidError"]),
    );
  });
});
