import { createFaultBook, type FaultBook } from "../../src/hardware/faults/index.ts";
import {
  type HardwareFaultSpec,
  marks,
  type NodeObject,
  ownCondition,
} from "../../src/hardware/objects/index.ts";
import { createReaper } from "../../src/hardware/reaper/index.ts";
import { nodeUndoFor, snapshotNode } from "../../src/hardware/undo/index.ts";
import { mapConcurrent } from "../../src/platform/concurrency/index.ts";
import {
  createKubeClient,
  type KubeClient,
  listAll,
  loadKubeConfig,
  resourceTypes,
} from "../../src/platform/kube/index.ts";
import { createRng } from "../../src/platform/rng/index.ts";
import { createRealClock } from "../../src/platform/time/index.ts";
import { startCluster } from "../../test/cluster/fixture.ts";
import type { Bench, BenchContext, BenchResult } from "../bench.ts";
import { clusterMissing } from "../kube/populated-cluster.ts";
import { installFaults, namespace } from "./install-faults.ts";

const clock = createRealClock();
const limitSeconds = 30;
const writersMax = 16;

export const bench: Bench = {
  name: "hardware/revert",
  description:
    "Faults on as many KWOK nodes of a real control plane, each closed and marked as a detector does it, are taken back on request by one fault API.",
  requires: clusterMissing,
  run: onCluster,
};

async function onCluster(context: BenchContext): Promise<BenchResult> {
  const nodes = context.quick ? 20 : 500;
  await using cluster = await startCluster({ kwok: nodes, onProgress: context.log });
  const config = await loadKubeConfig({ path: cluster.kubeconfigPath, env: {}, clock });
  const random = createRng("bench").stream("revert");
  const client = createKubeClient({ config, clock, random, socketsMax: 32 });
  try {
    await installFaults(client);
    return await measure(context, client);
  } finally {
    client.close();
  }
}

async function measure({ log, quick }: BenchContext, client: KubeClient): Promise<BenchResult> {
  const book = createFaultBook({ client, namespace, clock, by: "fault-api" });
  const before = await nodesOf(client);
  const names = [...before.keys()].toSorted();
  await mapConcurrent(names, writersMax, (node, { index }) => inject(client, book, node, index));
  const broken = await nodesOf(client);
  const closed = names.filter((name) => broken.get(name)?.spec?.unschedulable === true).length;
  if (closed !== names.length) throw new Error(`only ${closed} nodes were closed`);
  log(`${closed} faults in force`);
  const silent = () => undefined;
  const reaper = createReaper({
    book,
    client,
    clock,
    by: "fault-api",
    owns: () => true,
    log: { info: silent, warn: silent, error: silent },
  });
  const stop = new AbortController();
  const running = reaper.run(stop.signal);
  const startedMs = clock.monotonicMs();
  const over = await mapConcurrent(names, names.length, (node) =>
    reaper.revert(faultOn(node), "requested"),
  );
  const tookSeconds = (clock.monotonicMs() - startedMs) / 1_000;
  stop.abort();
  await running;
  const left = over.filter(({ status }) => status?.state !== "reverted").length;
  if (left > 0) throw new Error(`${left} faults were not taken back`);
  const after = await nodesOf(client);
  const changed = names.filter((name) => !isAsBefore(before.get(name), after.get(name)));
  if (changed.length > 0)
    throw new Error(`${changed.length} nodes are not as before: ${changed[0]}`);
  return {
    metrics: [
      {
        name: `revert of ${names.length} faults`,
        value: tookSeconds,
        unit: "s",
        provenance: "measured",
        better: "lower",
        ...(quick ? {} : { limit: limitSeconds }),
      },
      {
        name: "nodes restored",
        value: names.length / tookSeconds,
        unit: "1/s",
        provenance: "measured",
        better: "higher",
      },
    ],
    notes: [
      "from the request to the last fault reverted; every node was compared with what it was before",
      "at most 32 requests at a time",
      "every second node has NVSentinel's marks with nobody there to notice that it was opened, so that each of those waits its full second",
    ],
  };
}

/** Writes a fault down and does to its node what a detector would. */
async function inject(
  client: KubeClient,
  book: FaultBook,
  node: string,
  index: number,
): Promise<void> {
  const correlationId = index.toString(16).padStart(12, "0");
  const spec: HardwareFaultSpec = {
    run: "bench",
    requestedBy: "bench",
    namespace: "default",
    action: { kind: "xid", node, gpu: { index: 0 }, lines: [{ xid: 79 }], correlationId },
    expiresAt: new Date(clock.nowMs() + 3_600_000).toISOString(),
    leaseSeconds: 1_800,
  };
  const name = faultOn(node);
  await book.create(name, spec);
  await book.arm(name, [await snapshotNode(client, node)]);
  await close(client, node, correlationId, index % 2 === 0 ? "tessera" : "nvsentinel");
  await book.injected(name);
}

async function close(
  client: KubeClient,
  node: string,
  correlationId: string,
  by: "tessera" | "nvsentinel",
): Promise<void> {
  const line = `kernel: NVRM: Xid (PCI:0000:3b:00): 79, x tessera=${correlationId}`;
  const event = { checkName: "SysLogsXIDError", nodeName: node, message: line, errorCode: ["79"] };
  const metadata =
    by === "tessera"
      ? { annotations: { [marks.cordonedBy]: correlationId } }
      : {
          annotations: {
            quarantineHealthEvent: JSON.stringify([event]),
            quarantineHealthEventIsCordoned: "True",
          },
          labels: { "k8saas.nvidia.com/cordon-by": "NVSentinel" },
        };
  const spec = { unschedulable: true };
  await client.patch(resourceTypes.nodes, { name: node }, { merge: { metadata, spec } });
  const type = by === "tessera" ? ownCondition : "SysLogsXIDError";
  const condition = { type, status: "True", reason: "Xid79", message: line };
  await client.patch(
    resourceTypes.nodes,
    { name: node },
    { strategic: { status: { conditions: [condition] } } },
    { subresource: "status" },
  );
}

/**
 * Nothing of a detector is on it, and everything else is, though controllers may have changed its
 * value. Our own condition may say that all is well.
 */
function isAsBefore(before: NodeObject | undefined, after: NodeObject | undefined): boolean {
  const [was, is] = [before, after].map(detectorTraces);
  const has = (own: Labels = {}, all: Labels = {}) => Object.keys(own).every((key) => key in all);
  return (
    was === is &&
    has(before?.metadata.labels, after?.metadata.labels) &&
    has(before?.metadata.annotations, after?.metadata.annotations)
  );
}

type Labels = Readonly<Record<string, string>>;

function detectorTraces(node: NodeObject | undefined): string {
  if (node === undefined) return "gone";
  const { unschedulable, annotations, labels, conditions } = nodeUndoFor(node, []).before;
  const { [ownCondition]: own, ...others } = conditions;
  return JSON.stringify([unschedulable, annotations, labels, others, own === "True"]);
}

async function nodesOf(client: KubeClient): Promise<ReadonlyMap<string, NodeObject>> {
  const { items } = await listAll<NodeObject, NodeObject>(client, resourceTypes.nodes, {
    project: (node) => node,
  });
  return new Map(items.map((node) => [node.metadata.name ?? "", node]));
}

function faultOn(node: string): string {
  return `xid-${node}`;
}
