import { z } from "zod";
import {
  type FaultAction,
  type FaultState,
  faultKinds,
  faultStates,
  type HardwareFault,
  nodeOf,
} from "../objects/index.ts";

const optionalTime = z.string().nullable();

/** A fault as the API shows it to programs. */
export const faultViewSchema = z.object({
  id: z.string(),
  run: z.string(),
  kind: z.enum(faultKinds),
  namespace: z.string().describe("The namespace under test."),
  node: z.string().nullable(),
  target: z.string().describe("In words: `node/gpu0`, `namespace/deployment/name`."),
  state: z.enum(faultStates),
  requestedBy: z.string(),
  correlationId: z.string().nullable().describe("In every line of an XID; null for other kinds."),
  createdAt: optionalTime,
  expiresAt: z.string(),
  leaseSeconds: z.number(),
  leaseUntil: optionalTime,
  injectedAt: optionalTime.describe("When whoever carries it out said that it was done."),
  observedAt: optionalTime.describe("When something in the cluster was first seen to notice it."),
  endedAt: optionalTime.describe("When it was taken back, or failed."),
  endReason: z.string().nullable(),
  sightings: z.array(
    z.object({ at: z.string(), by: z.string(), what: z.string(), detail: z.string().optional() }),
  ),
  left: z.array(z.string()).describe("What was not put back because somebody else changed it."),
  message: z.string().nullable(),
  action: z.looseObject({ kind: z.enum(faultKinds) }),
});

export type FaultView = z.output<typeof faultViewSchema>;

/** Shows a fault. Times are those of whoever wrote them into its history. */
export function faultView(fault: HardwareFault): FaultView {
  const { metadata, spec, status } = fault;
  const { action } = spec;
  const since = (...states: FaultState[]) =>
    status?.history?.find(({ state }) => states.includes(state))?.at ?? null;
  return {
    id: metadata.name ?? "",
    run: spec.run,
    kind: action.kind,
    namespace: spec.namespace,
    node: nodeOf(action) ?? null,
    target: targetOf(action),
    state: status?.state ?? "planned",
    requestedBy: spec.requestedBy,
    correlationId: action.kind === "xid" ? action.correlationId : null,
    createdAt: metadata.creationTimestamp ?? since("planned"),
    expiresAt: spec.expiresAt,
    leaseSeconds: spec.leaseSeconds,
    leaseUntil: status?.leaseUntil ?? null,
    injectedAt: since("injected"),
    observedAt: status?.sightings?.[0]?.at ?? since("observed"),
    endedAt: since("reverted", "failed"),
    endReason: status?.end?.reason ?? null,
    sightings: (status?.sightings ?? []).map((sighting) => ({ ...sighting })),
    left: (status?.undo ?? []).flatMap(({ left = [] }) => left),
    message: status?.message ?? null,
    action: { ...action },
  };
}

/** What a fault is aimed at, in words. */
export function targetOf(action: FaultAction): string {
  switch (action.kind) {
    case "xid":
      return `${action.node}/${"pci" in action.gpu ? action.gpu.pci : `gpu${action.gpu.index}`}`;
    case "cuda":
      return `${action.node}/${action.scope}`;
    case "passthrough": {
      const { namespace, kind, name } = action.workload;
      return `${namespace}/${kind}/${name}`;
    }
    case "partition":
      return `${action.namespace}/${labelText(action.podSelector)}`;
  }
}

/** `app=vllm,tier=decode` */
export function labelText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(",");
}
