import { describe, expect, it } from "vitest";
import { marks, ownCondition } from "../../../src/hardware/objects/index.ts";
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
