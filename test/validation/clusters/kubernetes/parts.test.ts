import { describe, expect, it } from "vitest";
import { type KubeClient, rightName } from "../../../../src/platform/kube/index.ts";
import { VirtualClock } from "../../../../src/platform/time/index.ts";
import type { ClusterView } from "../../../../src/validation/clusters/cluster.ts";
import { getFreeNodeList } from "../../../../src/validation/clusters/free-nodes.ts";
import { selectorMismatch } from "../../../../src/validation/clusters/kubernetes/discovery/node-affinity.ts";
import { rightsOf } from "../../../../src/validation/clusters/kubernetes/index.ts";
import {
  cordonPatch,
  createNodeControls,
  uncordonPatch,
} from "../../../../src/validation/clusters/kubernetes/node-controls.ts";
import { trustOf } from "../../../../src/validation/clusters/kubernetes/trust.ts";
import { skuOf } from "../../../../src/validation/clusters/sku.ts";

describe("the model of a node's GPUs", () => {
  it.each([
    ["NVIDIA-H100-80GB-HBM3", "h100-sxm5-80gb"],
    ["NVIDIA-H200", "h200-sxm5-141gb"],
    ["NVIDIA-A100-SXM4-80GB", "a100-sxm4-80gb"],
    ["NVIDIA-A100-SXM4-80GB-SHARED", "a100-sxm4-80gb"],
    ["NVIDIA A100 80GB PCIe", "a100-pcie-80gb"],
    ["H100-SXM5-80GB", "h100-sxm5-80gb"],
    ["AMD_Instinct MI300X_OAM", "amd-instinct-mi300x-oam"],
    ["constructor", "constructor"],
    ["", "unknown"],
    [undefined, "unknown"],
  ])("of %j is %s", (product, sku) => {
    expect(skuOf(product)).toBe(sku);
  });
});

describe("a job's selectors", () => {
  const node = { name: "gpu-1", labels: { zone: "a", size: "8" } };
  const affinity = (...terms: readonly object[]) => ({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms as [] },
      },
    },
  });
  const expression = (key: string, operator: string, ...values: readonly string[]) => ({
    matchExpressions: [{ key, operator, values }],
  });

  it.each([
    [{}, true],
    [{ nodeSelector: { zone: "a" } }, true],
    [{ nodeSelector: { zone: "b" } }, false],
    [{ nodeSelector: { rack: "" } }, false],
    [affinity(expression("zone", "In", "a", "b")), true],
    [affinity(expression("zone", "NotIn", "a")), false],
    [affinity(expression("rack", "NotIn", "a")), true],
    [affinity(expression("zone", "Exists")), true],
    [affinity(expression("zone", "DoesNotExist")), false],
    [affinity(expression("size", "Gt", "7")), true],
    [affinity(expression("size", "Lt", "8")), false],
    [affinity(expression("zone", "Gt", "1")), false],
    [affinity(expression("zone", "Wrong", "a")), false],
    [affinity(expression("zone", "In", "b"), expression("zone", "In", "a")), true],
    [affinity({}), false],
    [affinity(), false],
    [
      affinity({ matchFields: [{ key: "metadata.name", operator: "In", values: ["gpu-1"] }] }),
      true,
    ],
    [
      affinity({ matchFields: [{ key: "metadata.name", operator: "In", values: ["gpu-2"] }] }),
      false,
    ],
  ])("%j match the node: %j", (spec, matches) => {
    expect(selectorMismatch(spec, node) === undefined).toBe(matches);
  });
});

function closedWith(metadata: object) {
  return { metadata, spec: { unschedulable: true } };
}

describe("closing and opening a node", () => {
  const clock = new VirtualClock({ epochMs: Date.parse("2026-03-01T12:00:00Z") });
  const by = { cluster: "prod", clock };

  it.each([
    [{ metadata: {} }, true],
    [closedWith({ annotations: { "tessera.dev/cordoned-by": "prod" } }), true],
    [closedWith({ labels: { "tessera.dev/awaits-acceptance": "true" } }), true],
    [closedWith({}), false],
  ])("%j is closed by us afterwards: %j", async (node, isOurs) => {
    const client: Pick<KubeClient, "get" | "patch"> = {
      get: async <T>() => node as T,
      patch: async <T>() => node as T,
    };
    const options = { client: client as KubeClient, random: { float: () => 0 }, ...by };
    expect(await createNodeControls(options).cordon("n1", "failed")).toBe(isOurs);
  });

  it("says who closed it, when and why, and does not claim what is closed already", () => {
    expect(cordonPatch({ metadata: {} }, "failed twice", by)).toEqual({
      metadata: {
        labels: { "tessera.dev/awaits-acceptance": "true" },
        annotations: {
          "tessera.dev/cordoned-by": "prod",
          "tessera.dev/cordon-reason": "failed twice",
          "tessera.dev/cordoned-at": "2026-03-01T12:00:00.000Z",
        },
      },
      spec: { unschedulable: true },
    });
    expect(cordonPatch({ metadata: {}, spec: { unschedulable: true } }, "x", by)).toBeUndefined();
  });

  it("takes our marks off, and has nothing to do on a node that is open and unmarked", () => {
    const marked = { metadata: { annotations: { "tessera.dev/cordoned-by": "prod" } } };
    expect(uncordonPatch(marked, "passed")?.spec).toEqual({ unschedulable: null });
    expect(uncordonPatch({ metadata: {} }, "passed")).toBeUndefined();
  });
});

describe("how far the view can be trusted", () => {
  const part = (what: string, state: "live" | "stale" | "starting" | "stopped", more = {}) => ({
    what,
    freshness: { state, ...more },
  });

  it("is as far as the least of its parts", () => {
    expect(trustOf([part("nodes", "live"), part("pods", "live")])).toEqual({ state: "current" });
    expect(trustOf([part("nodes", "live"), part("pods", "starting")])).toEqual({
      state: "starting",
      reason: "Pods have not been listed yet.",
    });
    const lastError = new Error("the watch was silent.");
    expect(
      trustOf([
        part("nodes", "stale", { staleSinceMs: 20, lastError }),
        part("pods", "stale", { staleSinceMs: 10 }),
      ]),
    ).toEqual({
      state: "stale",
      sinceMs: 10,
      reason: "Changes of nodes and pods may be missing: the watch was silent.",
    });
    expect(trustOf([part("nodes", "stopped", { staleSinceMs: 3 })])).toMatchObject({
      state: "stale",
      reason: "The cluster is no longer watched.",
    });
  });
});

describe("the free nodes", () => {
  const node = (name: string, busy: boolean) => ({
    name,
    sku: "x",
    rack: "",
    gpus: 8,
    notFree: busy ? [{ code: "busy" as const, text: "busy" }] : [],
    awaitsAcceptance: false,
    cordoned: false,
  });
  const view = (trust: ClusterView["trust"]): ClusterView => ({
    atMs: 0,
    trust,
    nodes: [node("a", false), node("b", true), node("c", false)],
    jobs: [],
  });

  it("are those without a reason against them", () => {
    expect(getFreeNodeList(view({ state: "current" }))).toEqual(["a", "c"]);
  });

  it("are none when the view cannot be trusted", () => {
    expect(getFreeNodeList(view({ state: "stale", reason: "x" }))).toEqual([]);
    expect(getFreeNodeList(view({ state: "starting", reason: "x" }))).toEqual([]);
  });
});

describe("the rights", () => {
  it("of a reader change nothing, and those of Volcano are asked for only there", () => {
    const names = (roles: readonly ("reader" | "submitter" | "cordoner")[], volcano: boolean) =>
      rightsOf({ roles, namespace: "t", volcano }).map(rightName);
    expect(names(["reader"], false)).toEqual([
      "list nodes",
      "watch nodes",
      "list pods",
      "watch pods",
      "list jobs.batch in t",
      "watch jobs.batch in t",
    ]);
    expect(names(["submitter"], true)).toEqual([
      "get leases.coordination.k8s.io in t",
      "create leases.coordination.k8s.io in t",
      "update leases.coordination.k8s.io in t",
      "get jobs.batch.volcano.sh in t",
      "create jobs.batch.volcano.sh in t",
      "delete jobs.batch.volcano.sh in t",
    ]);
    expect(names(["cordoner"], true)).toEqual(["get nodes", "patch nodes"]);
  });
});
