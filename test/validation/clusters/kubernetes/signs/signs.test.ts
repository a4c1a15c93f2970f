import { describe, expect, it } from "vitest";
import { projectNode } from "../../../../../src/validation/clusters/kubernetes/discovery/project-node.ts";
import { podProjection } from "../../../../../src/validation/clusters/kubernetes/discovery/project-pod.ts";
import type {
  ContainerStatus,
  NodeObject,
  PodObject,
} from "../../../../../src/validation/clusters/kubernetes/objects.ts";
import {
  NodeMemory,
  nodeSigns,
  podSigns,
} from "../../../../../src/validation/clusters/kubernetes/signs/signs.ts";
import { SignQueue } from "../../../../../src/validation/clusters/sign-queue.ts";

const finishedAt = "2026-03-01T12:00:00Z";
const isGpu = (resource: string) => resource === "nvidia.com/gpu";
const project = podProjection({ cluster: "prod", relevant: isGpu, isGpu, crashSigns: true });

function pod(
  statuses: readonly ContainerStatus[],
  more: { gpus?: number; metadata?: object; status?: object } = {},
): PodObject {
  return {
    metadata: {
      name: "train-7-0",
      namespace: "ml",
      ownerReferences: [
        { apiVersion: "v1", kind: "Job", name: "train-7", uid: "u", controller: true },
      ],
      ...more.metadata,
    },
    spec: {
      nodeName: "gpu-1",
      containers: [{ resources: { requests: { "nvidia.com/gpu": more.gpus ?? 8 } } }],
    },
    status: { phase: "Running", containerStatuses: statuses, ...more.status },
  };
}

const ended = (exitCode: number, more: object = {}): ContainerStatus => ({
  restartCount: 0,
  state: { terminated: { exitCode, finishedAt, ...more } },
});
const alive: ContainerStatus = { restartCount: 0, state: { running: {} } };
const crash = { kind: "crash", atMs: Date.parse(finishedAt), node: "gpu-1", job: "ml/train-7" };

const signsOf = (before: PodObject, after: PodObject) =>
  podSigns(project(before), project(after), 5);

describe("a crash", () => {
  it.each([
    ["a signal", pod([ended(139)], { status: { phase: "Failed" } })],
    ["an exit code as CUDA errors give it", pod([ended(1)])],
    [
      "a container that was started again",
      pod([
        {
          restartCount: 1,
          state: { running: {} },
          lastState: { terminated: { exitCode: 134, finishedAt } },
        },
      ]),
    ],
  ])("is told of for %s", (_, after) => {
    expect(signsOf(pod([alive]), after)).toEqual([crash]);
  });

  it.each([
    ["a good end", pod([ended(0)])],
    ["a lack of memory", pod([ended(137, { reason: "OOMKilled" })])],
    ["a program that is not there", pod([ended(127)])],
    ["an end that was asked for", pod([ended(143)])],
    ["a pod that is deleted", pod([ended(137)], { metadata: { deletionTimestamp: finishedAt } })],
    ["an eviction", pod([ended(137)], { status: { reason: "Evicted" } })],
    [
      "a pod that makes room for others",
      pod([ended(137)], { status: { conditions: [{ type: "DisruptionTarget", status: "True" }] } }),
    ],
    ["a pod without a GPU", pod([ended(1)], { gpus: 0 })],
    [
      "a pod of our own",
      pod([ended(1)], {
        metadata: {
          labels: { "app.kubernetes.io/managed-by": "tessera", "tessera.dev/cluster": "prod" },
        },
      }),
    ],
  ])("is not %s", (_, after) => {
    expect(signsOf(pod([alive]), after)).toEqual([]);
  });

  it("is told of once, and again when it happens again", () => {
    const first = pod([ended(1)]);
    const restarted = pod([
      {
        restartCount: 1,
        state: { running: {} },
        lastState: first.status?.containerStatuses?.[0]?.state ?? {},
      },
    ]);
    const second = pod([{ restartCount: 1, state: { terminated: { exitCode: 1, finishedAt } } }]);
    expect(signsOf(pod([alive]), first)).toHaveLength(1);
    expect(signsOf(first, first)).toEqual([]);
    expect(signsOf(first, restarted)).toEqual([]);
    expect(signsOf(restarted, second)).toHaveLength(1);
  });

  it("is not looked for when that is switched off", () => {
    const off = podProjection({ cluster: "prod", relevant: isGpu, isGpu, crashSigns: false });
    expect(podSigns(off(pod([alive])), off(pod([ended(1)])), 5)).toEqual([]);
  });
});

describe("a node's signs", () => {
  const node = (more: { uid?: string; message?: string; status?: string; repaired?: string }) => {
    const object: NodeObject = {
      metadata: {
        name: "gpu-1",
        uid: more.uid ?? "u1",
        annotations: more.repaired === undefined ? {} : { "tessera.dev/repaired": more.repaired },
      },
      status: {
        conditions: [
          {
            type: "GpuProblem",
            status: more.status ?? "True",
            message: more.message ?? "",
            lastTransitionTime: finishedAt,
          },
        ],
      },
    };
    return projectNode(object, { skuLabels: [], rackLabels: [], labelKeys: [], relevant: isGpu });
  };

  it.each([
    ["NVRM: Xid (PCI:0000:3b:00): 79, pid=1, GPU has fallen off the bus", 79],
    ["detected XID 48", 48],
    ["Xid: 119", 119],
  ])("include the driver error in %j", (message, xid) => {
    const kernel = { kind: "kernel", atMs: Date.parse(finishedAt), node: "gpu-1", xid };
    expect(nodeSigns(node({}), node({ message }), 5)).toEqual([kernel]);
    expect(nodeSigns(node({ message }), node({ message }), 5)).toEqual([]);
  });

  it.each([
    ["a condition that does not hold", { message: "Xid 79", status: "False" }],
    ["a message without a number", { message: "no Xid seen on 8 GPUs" }],
    ["another word", { message: "taxid 12" }],
  ])("do not include %s", (_, change) => {
    expect(nodeSigns(node({}), node(change), 5)).toEqual([]);
  });

  it("include a repair when the node was made anew, or is marked as repaired", () => {
    const repair = { kind: "repair", atMs: 5, node: "gpu-1" };
    expect(nodeSigns(node({}), node({ uid: "u2" }), 5)).toEqual([repair]);
    expect(nodeSigns(node({}), node({ repaired: "ticket-9" }), 5)).toEqual([repair]);
    expect(nodeSigns(node({ repaired: "ticket-9" }), node({}), 5)).toEqual([]);
    expect(nodeSigns(undefined, node({ uid: "u2" }), 5)).toEqual([]);
  });

  it("are remembered for nodes that left", () => {
    const memory = new NodeMemory();
    expect(memory.swap(node({}))).toBeUndefined();
    expect(memory.swap(node({ uid: "u2" }))?.uid).toBe("u1");
  });
});

describe("the queue of signs", () => {
  it("hands each out once, oldest first, and forgets the oldest when it is full", () => {
    const queue = new SignQueue();
    const sign = (atMs: number) => ({ kind: "repair", atMs, node: "n" }) as const;
    queue.add([sign(2), sign(1)]);
    expect(queue.take().map(({ atMs }) => atMs)).toEqual([1, 2]);
    expect(queue.take()).toEqual([]);
    queue.add(Array.from({ length: 10_001 }, (_, at) => sign(at)));
    const taken = queue.take();
    expect([taken.length, taken[0]?.atMs]).toEqual([10_000, 1]);
  });
});
