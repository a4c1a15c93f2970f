import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadExperiment } from "../../../src/chaos/experiment/file/index.ts";
import { resolveExperiment } from "../../../src/chaos/experiment/resolve/index.ts";
import {
  checkCluster,
  kubernetesRefusals,
  rightsFor,
} from "../../../src/chaos/kubernetes/index.ts";
import { restoreCordon } from "../../../src/chaos/kubernetes/undo.ts";
import type { ChaosPlan, PodsWorkload } from "../../../src/chaos/plan/index.ts";
import { rightName } from "../../../src/platform/kube/index.ts";
import { fakeCluster } from "../../platform/kube/support/fake-cluster.ts";

const example = join(import.meta.dirname, "../../../examples/chaos/kubernetes/kill-pod.yaml");
const known = ["a", "b", "c"].map((name) => ({ namespace: "training", name }));

async function examplePlan(): Promise<ChaosPlan & { readonly workload: PodsWorkload }> {
  const plan = resolveExperiment(await loadExperiment(example), { pods: known });
  return plan as ChaosPlan & { readonly workload: PodsWorkload };
}

async function cluster(
  options: {
    readonly allowed?: boolean;
    readonly may?: boolean;
    readonly pods?: readonly string[];
    readonly node?: string;
  } = {},
) {
  const { allowed = true, may = true, pods = ["a", "b", "c"], node = "n" } = options;
  const fake = await fakeCluster();
  const labels: Record<string, string> = allowed ? { "tessera.dev/chaos": "allowed" } : {};
  fake.api.table.put("/api/v1/namespaces", { metadata: { name: "training", labels } });
  for (const name of pods) {
    const metadata = { name, namespace: "training", labels: { app: "workers" } };
    fake.api.table.put("/api/v1/pods", { metadata, ...{ spec: { nodeName: node } } });
  }
  fake.api.intercept = ({ url }, response) => {
    if (!url.pathname.endsWith("/selfsubjectaccessreviews")) return false;
    response.writeHead(201, { "content-type": "application/json" });
    response.end(JSON.stringify({ metadata: {}, status: { allowed: may } }));
    return true;
  };
  return fake;
}

const check = async (
  fake: Awaited<ReturnType<typeof cluster>>,
  change: Partial<ChaosPlan> = {},
) => {
  const plan = await examplePlan();
  return checkCluster(
    fake.client,
    { ...plan, ...change },
    plan.workload,
    new AbortController().signal,
  );
};

describe("a cluster is looked at before anything is broken", () => {
  it("and the pods of the workload come back when all is well", async () => {
    const pods = await check(await cluster());
    expect(pods.map(({ name }) => name)).toEqual(["a", "b", "c"]);
  });

  it.each([
    [
      "its owners did not allow it",
      { allowed: false },
      "does not have the label tessera.dev/chaos=allowed",
    ],
    ["we lack a right", { may: false }, "we may not list pods in training"],
    ["there are no pods", { pods: [] }, "no pod of training has the labels app=workers"],
    ["the target is not of the workload", { pods: ["x"] }, "the workload has no pod"],
  ])("and nothing is, when %s", async (_, options, problem) => {
    await expect(check(await cluster(options))).rejects.toThrow(problem);
  });

  it("and nothing is, when more pods would be hit than the limits allow", async () => {
    const { limits } = await examplePlan();
    const change = { limits: { ...limits, targetsMax: 0 } };
    await expect(check(await cluster(), change)).rejects.toThrow("limits.targets allows 0");
  });
});

describe("a share of the pods", () => {
  const limited = async (targetsPercent: number) => {
    const { limits } = await examplePlan();
    return { limits: { ...limits, targetsMax: 10_000, targetsPercent } };
  };

  it("may be hit, and not one pod more", async () => {
    await expect(check(await cluster(), await limited(34))).resolves.toHaveLength(3);
    await expect(check(await cluster(), await limited(33))).rejects.toThrow(
      "it would hit 1 pods, and limits.targetsPercent allows 33 % of 3, which is 0",
    );
  });

  it("counts the pods of a node that is taken away, and not of one that is cordoned", async () => {
    const change = async (fault: string, targetsPercent: number) => ({
      ...(await limited(targetsPercent)),
      faults: [{ fault, targets: [{ kind: "kubernetes-node", name: "n-1" }], params: {} }] as never,
    });
    const there = () => cluster({ node: "n-1" });
    await expect(check(await there(), await change("fail_node", 99))).rejects.toThrow("hit 3 pods");
    await expect(check(await there(), await change("fail_node", 100))).resolves.toHaveLength(3);
    await expect(check(await there(), await change("cuda_error", 99))).rejects.toThrow(
      "hit 3 pods",
    );
    await expect(check(await there(), await change("cordon_node", 0))).resolves.toHaveLength(3);
  });
});

it("asks for no more rights than the faults of the plan need", async () => {
  const { faults } = await examplePlan();
  const names = (more: readonly object[], progress = false) =>
    rightsFor({ faults: more as ChaosPlan["faults"] }, { namespace: "n", progress }).map(rightName);
  const looks = ["list pods in n", "watch pods in n"];
  expect(names(faults)).toEqual([...looks, "delete pods in n"]);
  expect(names([], true)).toEqual([...looks, "get pods/log in n"]);
  expect(names([{ fault: "kill_pod", params: { by: "evict" } }])).toEqual([
    ...looks,
    "create pods/eviction in n",
  ]);
  expect(names([{ fault: "fail_node", params: {} }])).toEqual([...looks, "get nodes"]);
  expect(names([{ fault: "cordon_node", params: {} }])).toEqual([
    ...looks,
    "get nodes",
    "list nodes",
    "patch nodes",
  ]);
});

it("refuses what a cluster cannot do, and nothing else", async () => {
  const plan = await examplePlan();
  const [fault] = plan.faults;
  const refusals = (change: object) =>
    kubernetesRefusals({ ...plan, faults: [{ ...fault, ...change }] } as ChaosPlan, {
      nodeHook: false,
      hardware: false,
    });
  expect(refusals({})).toEqual([]);
  expect(refusals({ fault: "bit_flip" })).toEqual([
    "bit_flip cannot be done to a cluster from outside.",
  ]);
  expect(refusals({ fault: "fail_node" })[0]).toContain("needs a hook");
  expect(refusals({ fault: "gpu_xid" })[0]).toContain("needs the fault API");
  expect(refusals({ fault: "cuda_error" })[0]).toContain("needs the fault API");
  expect(refusals({ trigger: { kind: "step", step: 1 } })[0]).toContain("no step to wait for");
  expect(refusals({ targets: [{ kind: "pod", namespace: "other", name: "a" }] })[0]).toContain(
    "is in other",
  );
  expect(refusals({ targets: [{ kind: "rank", rank: 0 }] })[0]).toContain("is a rank");
});

describe("a cordon is taken back", () => {
  const undo = { node: "n", run: "k-1", wasUnschedulable: false };
  const patches = (seen: readonly { readonly method: string; readonly body: string }[]) =>
    seen.filter(({ method }) => method === "PATCH").map(({ body }) => JSON.parse(body) as object);

  async function nodeOf(run: string) {
    const fake = await fakeCluster();
    const annotations = { "tessera.dev/chaos-run": run };
    fake.api.table.put("/api/v1/nodes", { metadata: { name: "n", annotations } });
    fake.api.intercept = ({ method }, response) => {
      if (method !== "PATCH") return false;
      response.writeHead(200, { "content-type": "application/json" });
      response.end("{}");
      return true;
    };
    return fake;
  }

  it("to what the node was before", async () => {
    const { client, api } = await nodeOf("k-1");
    await restoreCordon(client, undo);
    await restoreCordon(client, { ...undo, wasUnschedulable: true });
    expect(patches(api.seen)).toMatchObject([
      { spec: { unschedulable: null } },
      { spec: { unschedulable: true } },
    ]);
  });

  it("only where it is still ours", async () => {
    const { client, api } = await nodeOf("k-2");
    await restoreCordon(client, undo);
    await restoreCordon(client, { ...undo, node: "gone" });
    expect(patches(api.seen)).toEqual([]);
  });
});
