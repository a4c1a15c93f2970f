import { describe, expect, it } from "vitest";
import {
  createNvSentinelSimulator,
  nodeSurface,
  nvSentinelConformance,
  runConformance,
} from "../../../../src/hardware/detectors/nvsentinel/index.ts";
import type { NodeObject } from "../../../../src/hardware/objects/index.ts";
import type { FakeObject } from "../../../platform/kube/support/object-table.ts";
import { fakeNodes, gpuNode, nodesPath, random } from "../support/fake-nodes.ts";
import { observed } from "./observed.ts";

describe("nvSentinelConformance", () => {
  it("expects what was observed of the real one", () => {
    for (const [at, step] of nvSentinelConformance.entries()) {
      const seen = observed.steps[at]?.observed;
      if (step.kind === "breaker") expect(step.expected).toBe(seen?.status);
      else {
        const { labels = {}, annotations = {}, unschedulable = false } = seen ?? {};
        const node: NodeObject = { metadata: { labels, annotations }, spec: { unschedulable } };
        expect(nodeSurface(node), step.title).toEqual(step.expected);
      }
    }
    expect(nvSentinelConformance).toHaveLength(observed.steps.length);
  });

  it("is met by the simulator on an API server", async () => {
    const { api, client, clock, node } = await fakeNodes();
    for (let at = 1; at <= 10; at++) api.put(nodesPath, gpuNode(`n${at}`));
    api.put(nodesPath, gpuNode("n7", { spec: { unschedulable: true } }));
    api.put(nodesPath, { metadata: { name: "nogpu" } });
    const simulator = createNvSentinelSimulator({
      client,
      clock,
      random,
      read: () => undefined,
      kernelLogs: [],
      drain: null,
      log: () => undefined,
    });
    const results = await runConformance({
      submit: async (event) => void (await simulator.submit(event)),
      uncordon: async (name) => {
        const spec = { ...node(name).spec, unschedulable: false };
        api.put(nodesPath, { ...node(name), spec } as unknown as FakeObject);
        await simulator.sweep();
      },
      node: (name) => Promise.resolve(node(name)),
      breaker: async () => await simulator.breakerStatus(),
    });
    expect(results).toHaveLength(16);
    for (const { step, expected, observed } of results) expect(observed, step).toEqual(expected);
  });
});
