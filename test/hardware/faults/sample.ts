import { detectorKeys } from "../../../src/hardware/detectors/index.ts";
import type {
  FaultAction,
  HardwareFaultSpec,
  NodeUndo,
  UndoEntry,
  WorkloadUndo,
} from "../../../src/hardware/objects/index.ts";

export const installation = "tessera-hardware";

export const xidAction: FaultAction = {
  kind: "xid",
  node: "n1",
  gpu: { index: 0 },
  lines: [{ xid: 79 }],
  correlationId: "0123456789ab",
};

/** A fault of run `r1` that lives for a minute, renewed every ten seconds. */
export function sampleSpec(
  nowMs: number,
  more: Partial<HardwareFaultSpec> = {},
): HardwareFaultSpec {
  return {
    run: "r1",
    requestedBy: "alice",
    namespace: "serving",
    action: xidAction,
    expiresAt: new Date(nowMs + 60_000).toISOString(),
    leaseSeconds: 10,
    ...more,
  };
}

function none(keys: readonly string[]): Readonly<Record<string, null>> {
  return Object.fromEntries(keys.map((key) => [key, null]));
}

/** An open node that no detector has touched. */
export function nodeUndo(node: string, more: Partial<NodeUndo["before"]> = {}): NodeUndo {
  return {
    kind: "node",
    node,
    before: {
      unschedulable: false,
      taints: [],
      annotations: none(detectorKeys.annotations),
      labels: none(detectorKeys.labels),
      conditions: none(detectorKeys.conditions),
      ...more,
    },
  };
}

export const policyUndo: UndoEntry = {
  kind: "object",
  type: {
    group: "networking.k8s.io",
    version: "v1",
    plural: "networkpolicies",
    kind: "NetworkPolicy",
    namespaced: true,
  },
  namespace: "serving",
  name: "cut",
};

export function workloadUndo(uid: string): WorkloadUndo {
  return {
    kind: "workload",
    workload: { namespace: "serving", name: "vllm", kind: "deployment" },
    uid,
    fields: [
      {
        pointer: "/spec/template/spec/containers/0/env",
        before: [{ name: "A", value: "1" }],
        applied: [
          { name: "A", value: "1" },
          { name: "LD_PRELOAD", value: "/run/lib.so" },
        ],
      },
      { pointer: "/metadata/annotations/tessera.dev~1cuda-passthrough", applied: "f1" },
    ],
  };
}
