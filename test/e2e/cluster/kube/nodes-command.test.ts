import { expect, it, onTestFinished } from "vitest";
import { type KubeObject, resourceTypes } from "../../../../src/platform/kube/index.ts";
import { describeCluster, sharedCluster } from "../../../cluster/shared.ts";
import { runCli } from "../../../support/built-cli.ts";
import { connect } from "./support/connect.ts";

const { nodes } = resourceTypes;

/** A node that only the API server knows of: never heard from, with eight GPUs. */
function nodeObject(name: string): KubeObject & Record<string, unknown> {
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name },
    spec: { unschedulable: true },
    status: { allocatable: { cpu: "8", "nvidia.com/gpu": "8" } },
  };
}

describeCluster("tessera nodes on a real API server", () => {
  it("shows a node with its GPUs, and does not call one ready that was never heard from", async () => {
    const { kubeconfigPath } = sharedCluster();
    const client = await connect(kubeconfigPath);
    await client.create(nodes, nodeObject("gpu-a"));
    onTestFinished(() => client.delete(nodes, { name: "gpu-a" }));
    const args = ["nodes", "--kubeconfig", kubeconfigPath];
    const { code, stdout } = await runCli([...args, "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).nodes).toEqual([
      { name: "gpu-a", ready: "unknown", schedulable: false, gpus: 8 },
    ]);
    expect((await runCli(args)).stdout).toContain("1 node, 8 GPUs");
  });

  it("says in one paragraph that a context does not exist", async () => {
    const { kubeconfigPath } = sharedCluster();
    const args = ["nodes", "--kubeconfig", kubeconfigPath, "--context", "elsewhere"];
    const { code, stderr } = await runCli(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^E_KUBECONFIG_INVALID: .*elsewhere/);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});
