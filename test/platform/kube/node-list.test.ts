import { describe, expect, it } from "vitest";
import { listNodes } from "../../../src/platform/kube/index.ts";
import { fakeCluster } from "./support/fake-cluster.ts";

const ready = (status: string) => ({ conditions: [{ type: "Ready", status }] });

describe("the list of nodes", () => {
  it("says of each whether it is ready, takes pods, and how many GPUs it offers", async () => {
    const { api, client } = await fakeCluster();
    const put = (name: string, spec: object, status: object) =>
      api.put("/api/v1/nodes", { metadata: { name }, spec, status });
    put("a", {}, { ...ready("True"), allocatable: { "nvidia.com/gpu": "8", cpu: "4" } });
    put("b", { unschedulable: true }, { ...ready("False"), allocatable: { "amd.com/gpu": "x" } });
    put("c", {}, ready("Unknown"));
    put("d", {}, { allocatable: { "nvidia.com/mig-1g.5gb": "7", "example.com/gpu-share": "9" } });
    expect(await listNodes(client)).toEqual([
      { name: "a", ready: "yes", schedulable: true, gpus: 8 },
      { name: "b", ready: "no", schedulable: false, gpus: 0 },
      { name: "c", ready: "unknown", schedulable: true, gpus: 0 },
      { name: "d", ready: "unknown", schedulable: true, gpus: 7 },
    ]);
  });
});
