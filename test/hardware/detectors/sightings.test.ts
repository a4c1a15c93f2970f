import { describe, expect, it } from "vitest";
import { sightingsOn } from "../../../src/hardware/detectors/index.ts";
import type { NodeObject } from "../../../src/hardware/objects/index.ts";

const trace = { correlationId: "0123456789ab", xid: 79, pci: "0000:3b:00" };
const line = "NVRM: Xid (PCI:0000:3b:00): 79, text tessera=0123456789ab";

function node(more: {
  readonly condition?: {
    readonly type: string;
    readonly message: string;
    readonly status?: string;
  };
  readonly annotations?: Record<string, string>;
  readonly labels?: Record<string, string>;
}): NodeObject {
  const { condition, annotations = {}, labels = {} } = more;
  return {
    metadata: { name: "n1", annotations, labels },
    spec: { unschedulable: true },
    status: { conditions: condition === undefined ? [] : [{ status: "True", ...condition }] },
  };
}

describe("sightingsOn", () => {
  it("finds a line in NVSentinel's condition by its correlation id", () => {
    const message = `ErrorCode:79 PCI:0000:3b:00 ${line} Recommended Action=RESTART_BM;`;
    const seen = sightingsOn(node({ condition: { type: "SysLogsXIDError", message } }), trace);
    expect(seen).toMatchObject([{ by: "nvsentinel", what: "condition" }]);
  });

  it("takes code and address where the text was dropped, and no other line's", () => {
    const bare = "ErrorCode:79 PCI:0000:3b:00 Recommended Action=RESTART_BM;";
    const other = `ErrorCode:79 PCI:0000:3b:00 text tessera=ffffffffffff Recommended Action=RESTART_BM;`;
    const see = (message: string) =>
      sightingsOn(node({ condition: { type: "SysLogsXIDError", message } }), trace);
    expect(see(bare)).toHaveLength(1);
    expect(see(other)).toHaveLength(0);
    expect(see("ErrorCode:48 PCI:0000:3b:00 Recommended Action=COMPONENT_RESET;")).toHaveLength(0);
    expect(see("ErrorCode:79 PCI:0000:5d:00 Recommended Action=RESTART_BM;")).toHaveLength(0);
  });

  it("does not count a condition that is over", () => {
    const condition = { type: "SysLogsXIDError", status: "False", message: line };
    expect(sightingsOn(node({ condition }), trace)).toEqual([]);
  });

  it("sees the cordon and the drain that the line caused, and not another's", () => {
    const annotations = {
      quarantineHealthEvent: JSON.stringify([{ message: line }]),
      quarantineHealthEventIsCordoned: "True",
    };
    const labels = { "dgxc.nvidia.com/nvsentinel-state": "draining" };
    expect(sightingsOn(node({ annotations, labels }), trace)).toMatchObject([
      { by: "nvsentinel", what: "cordon" },
      { by: "nvsentinel", what: "drain", detail: "draining" },
    ]);
    const other = { ...trace, correlationId: "ffffffffffff" };
    expect(sightingsOn(node({ annotations, labels }), other)).toEqual([]);
  });

  it("sees our own detector's condition and cordon", () => {
    const seen = sightingsOn(
      node({
        condition: { type: "TesseraXidError", message: `Xid 79 at 0000:3b:00 (0123456789ab)` },
        annotations: { "tessera.dev/cordoned-for": "0123456789ab" },
      }),
      trace,
    );
    expect(seen).toMatchObject([
      { by: "tessera", what: "condition" },
      { by: "tessera", what: "cordon" },
    ]);
  });
});
