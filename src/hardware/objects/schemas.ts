import { z } from "zod";
import { TesseraError } from "../../platform/errors/index.ts";
import type { KubeObject } from "../../platform/kube/index.ts";
import { endReasons, faultStates, type HardwareFault } from "./hardware-fault.ts";
import { workloadKinds } from "./workload-ref.ts";

/** Kubernetes' own limit on names of objects. */
const name = z.string().min(1).max(253);
const time = z.iso.datetime({ offset: true });
const labels = z.record(z.string(), z.string());

const workloadSchema = z.object({
  namespace: name,
  name,
  kind: z.enum(workloadKinds),
  custom: z
    .object({
      group: z.string(),
      version: z.string(),
      plural: z.string(),
      kind: z.string(),
      templatePaths: z.array(z.string()).max(32),
      podSelector: z.string(),
    })
    .optional(),
});

const cudaFaultSchema = z.object({
  xid: z.int().min(0),
  gpus: z.array(z.int().min(0)).max(64).optional(),
  afterCalls: z.number().min(0).optional(),
  afterMs: z.number().min(0).optional(),
  probability: z.number().min(0).max(1).optional(),
  latencyUs: z.number().min(0).optional(),
  seed: z.number().optional(),
});

const actionSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("xid"),
    node: name,
    gpu: z.union([z.object({ index: z.int().min(0) }), z.object({ pci: z.string() })]),
    lines: z
      .array(
        z.object({
          xid: z.int().min(0),
          delayMs: z.number().min(0).optional(),
          text: z.string().max(900).optional(),
        }),
      )
      .min(1)
      .max(64),
    correlationId: z.string().regex(/^[0-9a-f]{12}$/),
  }),
  z.object({ kind: z.literal("cuda"), node: name, scope: name, fault: cudaFaultSchema }),
  z.object({
    kind: z.literal("passthrough"),
    workload: workloadSchema,
    scope: name,
    preferNode: name.optional(),
  }),
  z.object({
    kind: z.literal("partition"),
    namespace: name,
    policy: name,
    podSelector: labels,
    direction: z.enum(["ingress", "egress", "both"]),
    exceptPods: labels.optional(),
    allowDns: z.boolean().optional(),
  }),
]);

const specSchema = z.object({
  run: z.string().min(1).max(253),
  requestedBy: z.string().max(253),
  namespace: name,
  action: actionSchema,
  expiresAt: time,
  leaseSeconds: z.number().positive().max(86_400),
  allowRealReboot: z.boolean().optional(),
});

const done = { doneAt: time.optional(), left: z.array(z.string()).optional() };
const values = z.record(z.string(), z.string().nullable());

const undoSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("node"),
    node: name,
    before: z.object({
      unschedulable: z.boolean(),
      taints: z.array(
        z.looseObject({ key: z.string(), value: z.string().optional(), effect: z.string() }),
      ),
      annotations: values,
      labels: values,
      conditions: values,
    }),
    ...done,
  }),
  z.object({
    kind: z.literal("workload"),
    workload: workloadSchema,
    uid: z.string().min(1),
    fields: z
      .array(
        z.object({
          pointer: z.string().startsWith("/"),
          before: z.unknown().optional(),
          applied: z.unknown().optional(),
        }),
      )
      .max(1_000),
    ...done,
  }),
  z.object({ kind: z.literal("control"), node: name, scope: name, ...done }),
  z.object({
    kind: z.literal("object"),
    type: z.object({
      group: z.string(),
      version: z.string(),
      plural: z.string(),
      kind: z.string(),
      namespaced: z.boolean(),
    }),
    namespace: name,
    name,
    ...done,
  }),
]);

const statusSchema = z.object({
  state: z.enum(faultStates),
  leaseUntil: time,
  end: z.object({ reason: z.enum(endReasons), at: time, by: z.string() }).optional(),
  undo: z.array(undoSchema).max(64).optional(),
  sightings: z
    .array(z.object({ at: time, by: z.string(), what: z.string(), detail: z.string().optional() }))
    .optional(),
  history: z.array(z.object({ at: time, state: z.enum(faultStates), by: z.string() })).optional(),
  message: z.string().optional(),
});

const faultSchema = z.object({
  metadata: z.looseObject({ name, namespace: name.optional() }),
  spec: specSchema,
  status: statusSchema.optional(),
});

/**
 * A fault as the API server sent it, checked: what it says decides what is put back where.
 *
 * @throws TesseraError E_HW_FAILED naming the fault and what is wrong with it
 */
export function parseHardwareFault(object: KubeObject): HardwareFault {
  const parsed = faultSchema.safeParse(object);
  // The object itself, not the parser's copy: fields that are only carried along stay.
  if (parsed.success) return object as HardwareFault;
  const what = `Reading the fault ${object.metadata?.name ?? "without a name"}`;
  throw new TesseraError("E_HW_FAILED", { what, problem: firstProblem(parsed.error) });
}

/**
 * Looks at a fault before it is written.
 *
 * @throws TesseraError E_HW_REFUSED naming the first field that cannot be
 */
export function checkFaultSpec(faultName: string, spec: unknown): void {
  const parsed = specSchema.safeParse(spec);
  if (parsed.success) return;
  const what = `The fault ${faultName}`;
  throw new TesseraError("E_HW_REFUSED", { what, problem: firstProblem(parsed.error) });
}

function firstProblem(error: z.ZodError): string {
  const [issue] = error.issues;
  const path = issue?.path.map(String).join(".") ?? "";
  return `${path === "" ? "it" : path}: ${issue?.message ?? "invalid"}`;
}
