import { createFaultBook } from "../../../src/hardware/faults/index.ts";
import type { HardwareFault, UndoEntry } from "../../../src/hardware/objects/index.ts";
import { createReaper, type ReaperOptions } from "../../../src/hardware/reaper/index.ts";
import { snapshotNode } from "../../../src/hardware/undo/index.ts";
import { type Clock, createRealClock } from "../../../src/platform/time/index.ts";
import {
  collections,
  type FakeKube,
  fakeKubeClient,
  startFakeKube,
} from "../../support/fake-kube/index.ts";
import {
  installation as namespace,
  policyUndo,
  sampleSpec,
  workloadUndo,
} from "../faults/sample.ts";

const real = createRealClock();
const line = "kernel: NVRM: Xid (PCI:0000:3b:00): 79, x tessera=0123456789ab";

/** A clock that runs as usual and can be put forward. */
export class ForwardClock implements Clock {
  aheadMs = 0;
  nowMs = () => real.nowMs() + this.aheadMs;
  monotonicMs = () => real.monotonicMs() + this.aheadMs;
  setTimer: Clock["setTimer"] = (delayMs, callback) => real.setTimer(delayMs, callback);
}

export interface World {
  readonly kube: FakeKube;
  readonly clock: ForwardClock;
  /** A reaper with a connection of its own; its requests carry its name as a token. */
  readonly reaper: (by: string, more?: Partial<ReaperOptions>) => ReturnType<typeof createReaper>;
  readonly book: (by: string) => ReturnType<typeof createFaultBook>;
}

/** A node, a Deployment, and a namespace for faults. */
export async function startWorld(): Promise<World> {
  const clock = new ForwardClock();
  const { kube } = await startFakeKube({ clock });
  kube.put(collections.nodes, {
    metadata: { name: "n1", labels: { zone: "a" } },
    spec: { podCIDR: "10.0.0.0/24" },
    status: { conditions: [{ type: "Ready", status: "True" }] },
  });
  kube.put(collections.deployments, {
    metadata: { name: "vllm", namespace: "serving", uid: "u1" },
    spec: {
      replicas: 2,
      template: {
        metadata: { labels: { app: "vllm" } },
        spec: { containers: [{ name: "main", env: [{ name: "A", value: "1" }] }] },
      },
    },
  });
  const clientOf = (by: string) => fakeKubeClient(kube, { clock, token: by });
  const book = (by: string) => createFaultBook({ client: clientOf(by), namespace, clock, by });
  const reaper: World["reaper"] = (by, more = {}) => {
    const client = clientOf(by);
    return createReaper({
      book: createFaultBook({ client, namespace, clock, by }),
      client,
      clock,
      by,
      owns: () => true,
      settleMs: 0,
      intervalMs: 20,
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      ...more,
    });
  };
  return { kube, clock, reaper, book };
}

/** Breaks everything: NVSentinel closes the node, the shim is in the Deployment, a policy cuts pods off. */
export async function inject(world: World, name: string, seconds = 10): Promise<HardwareFault> {
  const { kube, clock } = world;
  const book = world.book("fault-api");
  const spec = sampleSpec(clock.nowMs(), { leaseSeconds: seconds });
  await book.create(name, spec);
  const client = fakeKubeClient(kube, { clock });
  const inForce = await book.list({ node: "n1", live: true });
  const undo: readonly UndoEntry[] = [
    await snapshotNode(client, "n1", inForce),
    workloadUndo("u1"),
    policyUndo,
  ];
  await book.arm(name, undo);
  breakNode(kube);
  kube.edit(collections.deployments, "serving/vllm", (object) => {
    object.metadata.annotations = { "tessera.dev/cuda-passthrough": "f1" };
    containerOf(object)["env"] = [
      { name: "A", value: "1" },
      { name: "LD_PRELOAD", value: "/run/lib.so" },
    ];
  });
  kube.put(collections.networkPolicies, {
    metadata: { name: "cut", namespace: "serving", labels: { "tessera.dev/fault": name } },
  });
  return book.injected(name);
}

function breakNode(kube: FakeKube): void {
  kube.edit(collections.nodes, "n1", (node) => {
    const event = { checkName: "SysLogsXIDError", nodeName: "n1", message: line };
    node.metadata.annotations = {
      quarantineHealthEvent: JSON.stringify([event]),
      quarantineHealthEventIsCordoned: "True",
    };
    node.metadata.labels = { ...node.metadata.labels, "k8saas.nvidia.com/cordon-by": "NVSentinel" };
    node["spec"] = { ...(node["spec"] as object), unschedulable: true };
    const conditions = [
      { type: "Ready", status: "True" },
      { type: "SysLogsXIDError", status: "True", message: `ErrorCode:79 ${line};` },
    ];
    node["status"] = { conditions };
  });
}

/** What somebody else does while the fault is in force. */
export function editConcurrently(kube: FakeKube): void {
  kube.edit(collections.nodes, "n1", ({ metadata }) => {
    metadata.labels = { ...metadata.labels, mine: "yes" };
  });
  kube.edit(collections.deployments, "serving/vllm", (object) => {
    (object["spec"] as { replicas: number }).replicas = 5;
    const container = containerOf(object);
    container["env"] = [...(container["env"] as object[]), { name: "THEIRS", value: "x" }];
  });
}

/** All that a test may change, without what the server counts. */
export function stateOf(kube: FakeKube): unknown {
  const parts = [
    kube.get(collections.nodes, "n1"),
    kube.get(collections.deployments, "serving/vllm"),
  ].map((object) => {
    const { annotations = {}, labels = {} } = object?.metadata ?? {};
    return { annotations, labels, spec: object?.["spec"], status: object?.["status"] };
  });
  return [...parts, kube.get(collections.networkPolicies, "serving/cut")];
}

interface Container {
  [field: string]: unknown;
}

function containerOf(object: { [field: string]: unknown }): Container {
  const spec = object["spec"] as { template: { spec: { containers: Container[] } } };
  const [container] = spec.template.spec.containers;
  if (container === undefined) throw new Error("the Deployment has no container");
  return container;
}
