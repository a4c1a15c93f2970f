import { describe, expect, it } from "vitest";
import {
  chooseTargetNode,
  gpuPods,
  isNodeReady,
  isServing,
  podsOnHealthyNodes,
} from "../../../src/hardware/workload/index.ts";
import { deployment, node, pod } from "./support/objects.ts";

describe("a pod that serves", () => {
  it("runs, is ready, and stays", () => {
    expect(isServing(pod("a", { node: "n1" }))).toBe(true);
  });

  it.each([
    ["pending", pod("a", { phase: "Pending" })],
    ["not ready", pod("a", { node: "n1", ready: false })],
    ["leaving", pod("a", { node: "n1", leaving: true })],
    ["ended", pod("a", { node: "n1", phase: "Succeeded" })],
    ["of unknown state", { metadata: { name: "a" } }],
  ])("is not one that is %s", (_, one) => {
    expect(isServing(one)).toBe(false);
  });

  it("uses GPUs only when it asks for them", () => {
    const zero = {
      metadata: {},
      spec: { containers: [{ name: "c", resources: { limits: { "nvidia.com/gpu": "0" } } }] },
    };
    const slice = {
      metadata: {},
      spec: {
        containers: [{ name: "c", resources: { limits: { "nvidia.com/mig-1g.5gb": "1" } } }],
      },
    };
    const pods = [pod("a"), pod("b", { gpu: false }), zero, slice];
    expect(gpuPods(pods)).toEqual([pods[0], slice]);
  });
});

describe("pods on healthy nodes", () => {
  const nodes = [node("n1"), node("n2")];
  const good = [pod("a", { node: "n2" }), pod("b", { node: "n2" })];

  it("are as many as wanted, each serving elsewhere", () => {
    expect(podsOnHealthyNodes(good, nodes, { excludeNode: "n1", wanted: 2 })).toEqual({
      healthy: true,
      reason: "2 pods serve on healthy nodes",
      serving: 2,
    });
  });

  it("are not too few", () => {
    const verdict = podsOnHealthyNodes(good, nodes, { wanted: 3 });
    expect(verdict).toEqual({ healthy: false, reason: "2 of 3 pods serve", serving: 2 });
    expect(podsOnHealthyNodes([], nodes, { wanted: 1 }).healthy).toBe(false);
  });

  it.each([
    [
      "a pending pod without a node",
      pod("c", { phase: "Pending", ready: false }),
      /on no node yet/,
    ],
    ["a pod still on the node left out", pod("c", { node: "n1" }), /still on n1/],
    ["a pod that is not ready", pod("c", { node: "n2", ready: false }), /not serving/],
    ["a pod on a node that nobody knows", pod("c", { node: "n9" }), /does not know/],
  ])("do not include %s, though enough others serve", (_, third, reason) => {
    const verdict = podsOnHealthyNodes([...good, third], nodes, { excludeNode: "n1", wanted: 2 });
    expect(verdict).toMatchObject({ healthy: false, reason: expect.stringMatching(reason) });
  });

  it.each([
    ["is not ready", node("n2", { ready: "False" }), /not ready/],
    ["is silent", node("n2", { ready: "Unknown" }), /not ready/],
    ["is cordoned", node("n2", { cordoned: true }), /cordoned/],
  ])("are not on a node that %s", (_, second, reason) => {
    const verdict = podsOnHealthyNodes(good, [node("n1"), second], { wanted: 2 });
    expect(verdict).toMatchObject({ healthy: false, reason: expect.stringMatching(reason) });
    expect(isNodeReady({ metadata: {} })).toBe(false);
  });

  it("are judged without those that leave or have ended", () => {
    const gone = [
      pod("x", { node: "n1", leaving: true }),
      pod("y", { node: "n1", phase: "Failed" }),
    ];
    const verdict = podsOnHealthyNodes([...good, ...gone], nodes, {
      excludeNode: ["n1"],
      wanted: 2,
    });
    expect(verdict.healthy).toBe(true);
  });
});

describe("the node to break", () => {
  it("has the most serving GPU pods, the first by name among equals", () => {
    const pods = [
      pod("a", { node: "n2" }),
      pod("b", { node: "n2" }),
      pod("c", { node: "n1" }),
      pod("d", { node: "n1", ready: false }),
      pod("e", { node: "n1", gpu: false }),
    ];
    const nodes = [node("n1"), node("n2")];
    expect(chooseTargetNode(pods, nodes, deployment)).toBe("n2");
    expect(chooseTargetNode(pods.slice(1), nodes, deployment)).toBe("n1");
  });

  it("is none that is closed, not ready or without GPU pods", () => {
    const pods = [
      pod("a", { node: "n1" }),
      pod("b", { node: "n2" }),
      pod("c", { node: "n3", gpu: false }),
    ];
    const nodes = [node("n1", { cordoned: true }), node("n2", { ready: "Unknown" }), node("n3")];
    expect(() => chooseTargetNode(pods, nodes, deployment)).toThrow(
      expect.objectContaining({ code: "E_HW_WORKLOAD" }),
    );
  });
});
