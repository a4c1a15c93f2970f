import { describe, expect, it } from "vitest";
import { nvSentinelNames } from "../../../src/hardware/detectors/nvsentinel/names.ts";
import { marks, type NodeObject, ownCondition } from "../../../src/hardware/objects/index.ts";
import { collections } from "../../support/fake-kube/index.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { startTestApi, type TestApi, xidRequest } from "./support.ts";

async function withInjected(): Promise<{ api: TestApi; id: string; correlationId: string }> {
  const api = await startTestApi();
  const { id, correlationId } = await api.as("alice").inject(xidRequest);
  await api.book.injected(id);
  return { api, id, correlationId: correlationId ?? "" };
}

function showCondition(api: TestApi, message: string): void {
  api.kube.edit(collections.nodes, "gpu-1", (node) => {
    node["status"] = { conditions: [{ type: ownCondition, status: "True", message }] };
  });
}

const { annotations: names } = nvSentinelNames;

/** As NVSentinel closes a node because of one line. */
function quarantine(api: TestApi, text: string): void {
  const message = `kernel: NVRM: Xid (PCI:0000:3b:00): 79, ${text}`;
  const event = { checkName: "SysLogsXIDError", nodeName: "gpu-1", errorCode: ["79"], message };
  api.kube.edit(collections.nodes, "gpu-1", (node) => {
    node["spec"] = { unschedulable: true };
    node.metadata["annotations"] = {
      [names.event]: JSON.stringify([event]),
      [names.isCordoned]: nvSentinelNames.true,
    };
  });
}

const nodeOf = (api: TestApi) => api.kube.get(collections.nodes, "gpu-1") as NodeObject;
const isOpen = (api: TestApi) => nodeOf(api).spec?.unschedulable !== true;

async function withReverted() {
  const found = await withInjected();
  await found.api.as("alice").revert(found.id);
  const isOver = () => found.api.fault(found.id)?.status?.state === "reverted";
  await waitUntil("it is reverted", isOver);
  return found;
}

describe("what NVSentinel does after the end of a fault", () => {
  it("is taken back, and the fault stays as it was", async () => {
    const { api, id, correlationId } = await withReverted();
    const before = api.fault(id);
    quarantine(api, `x tessera=${correlationId}`);
    await waitUntil("the node is open again", () => isOpen(api));
    await waitUntil("its marks are gone", () => {
      return nodeOf(api).metadata.annotations?.[names.event] === undefined;
    });
    await waitUntil("it is told", () => api.logged().includes("after its end; taken back"));
    expect(api.fault(id)).toEqual(before);
  });

  it("stays when it is because of a line that is no test's", async () => {
    const { api, correlationId } = await withReverted();
    quarantine(api, "pid=7, gone");
    // What is there of the fault goes, so the node was looked at.
    const message = `ErrorCode:79 PCI:0000:3b:00 x tessera=${correlationId};`;
    api.kube.edit(collections.nodes, "gpu-1", (node) => {
      const type = nvSentinelNames.conditions.xid;
      node["status"] = { conditions: [{ type, status: "True", message }] };
    });
    await waitUntil("it is told", () => api.logged().includes("after its end; taken back"));
    expect(nodeOf(api).status?.conditions).toEqual([]);
    expect(isOpen(api)).toBe(false);
    expect(nodeOf(api).metadata.annotations?.[names.event]).toContain("pid=7");
  });

  it("is left to another fault that is in force on the node, until that has ended", async () => {
    const { api, correlationId } = await withReverted();
    const next = await api.as("alice").inject({ ...xidRequest, run: "run-2" });
    await api.book.injected(next.id);
    quarantine(api, `x tessera=${correlationId}`);
    showCondition(api, `XID 79 tessera=${next.correlationId}`);
    await waitUntil("it is observed", () => api.fault(next.id)?.status?.state === "observed");
    expect(isOpen(api)).toBe(false);
    await api.as("alice").revert(next.id);
    await waitUntil("the node is open again", () => isOpen(api));
  });
});

describe("what a node shows of a fault", () => {
  it("is written down once, and makes the fault observed", async () => {
    const { api, id, correlationId } = await withInjected();
    showCondition(api, `XID 79 tessera=${correlationId}`);
    await waitUntil("it is observed", () => api.fault(id)?.status?.state === "observed");
    api.kube.edit(collections.nodes, "gpu-1", (node) => {
      node["spec"] = { unschedulable: true };
      node.metadata["annotations"] = { [marks.cordonedBy]: correlationId };
    });
    await waitUntil("the cordon is seen", () => api.fault(id)?.status?.sightings?.length === 2);
    expect(api.fault(id)?.status?.sightings).toMatchObject([
      { by: "tessera", what: "condition" },
      { by: "tessera", what: "cordon" },
    ]);
  });

  it("is not taken for the fault's when another caused it", async () => {
    const { api, id, correlationId } = await withInjected();
    showCondition(api, "XID 79 tessera=000000000000");
    // A second node change after the first shows that the first was looked at.
    showCondition(api, `XID 79 tessera=${correlationId}`);
    await waitUntil("it is observed", () => api.fault(id)?.status?.state === "observed");
    expect(api.fault(id)?.status?.sightings).toHaveLength(1);
  });
});
