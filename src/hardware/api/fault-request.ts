import { z } from "zod";
import { workloadKinds } from "../objects/index.ts";

const label = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
const dotted = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/;

/** One line of printable text; what goes into the kernel log must not be able to end a record. */
const lineText = z
  .string()
  .min(1)
  .max(400)
  .regex(/^[\x20-\x7e]*$/, { error: "must consist of printable ASCII characters" });

/** A name of the cluster that is a DNS label: a namespace, a run, a fault. */
export const nameSchema = z
  .string()
  .max(63)
  .regex(label, { error: "must consist of lower-case letters, digits and hyphens" });

/** The name of a node or of a workload's object. */
export const objectNameSchema = z
  .string()
  .max(253)
  .regex(dotted, { error: "must consist of lower-case letters, digits, hyphens and dots" });

const xidNumber = z.int().min(1).max(999);

/** A GPU of a node: its number there, or its address `0000:3b:00`. */
export const gpuSchema = z.union([
  z.strictObject({ index: z.int().min(0).max(63) }),
  z.strictObject({
    pci: z.string().regex(/^[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}$/i, {
      error: "must look like 0000:3b:00",
    }),
  }),
]);

const workloadSchema = z.strictObject({
  namespace: nameSchema,
  name: objectNameSchema,
  kind: z.enum(workloadKinds),
  custom: z
    .strictObject({
      group: z.string().min(1).max(253).regex(dotted),
      version: z.string().min(1).max(63),
      plural: z.string().min(1).max(63),
      kind: z.string().min(1).max(63),
      templatePaths: z.array(z.string().min(1).max(253)).min(1).max(16),
      podSelector: z.string().min(1).max(500),
    })
    .exactOptional(),
});

/** Labels that select pods; none at all would select every one. */
export const labelsSchema = z
  .record(z.string().min(1).max(317), z.string().max(63))
  .refine((labels) => Object.keys(labels).length > 0, { error: "must name at least one label" })
  .refine((labels) => Object.keys(labels).length <= 16, { error: "must name at most 16 labels" });

const cudaFaultSchema = z.strictObject({
  xid: xidNumber,
  gpus: z.array(z.int().min(0).max(63)).min(1).max(64).exactOptional(),
  afterCalls: z.int().min(0).max(2_000_000_000).exactOptional(),
  afterMs: z.int().min(0).max(86_400_000).exactOptional(),
  probability: z.number().gt(0).max(1).exactOptional(),
  latencyUs: z.int().min(1).max(60_000_000).exactOptional(),
  seed: z.int().min(0).max(0xffff_ffff).exactOptional(),
});

const xidActionSchema = z.strictObject({
  kind: z.literal("xid"),
  node: objectNameSchema,
  gpu: gpuSchema.default({ index: 0 }),
  lines: z
    .array(
      z.strictObject({
        xid: xidNumber,
        delayMs: z.int().min(0).max(60_000).exactOptional(),
        text: lineText.exactOptional(),
      }),
    )
    .min(1)
    .max(16),
});

const cudaActionSchema = z.strictObject({
  kind: z.literal("cuda"),
  node: objectNameSchema,
  workload: workloadSchema,
  fault: cudaFaultSchema,
});

const passthroughActionSchema = z.strictObject({
  kind: z.literal("passthrough"),
  workload: workloadSchema,
  preferNode: objectNameSchema.exactOptional(),
});

const partitionActionSchema = z.strictObject({
  kind: z.literal("partition"),
  podSelector: labelsSchema,
  direction: z.enum(["ingress", "egress", "both"]).default("both"),
  exceptPods: labelsSchema.exactOptional(),
  allowDns: z.boolean().exactOptional(),
});

/** The longest a fault may be asked for; a longer test asks again. */
export const durationSecondsMax = 86_400;

const durationSchema = z.int().min(1).max(durationSecondsMax);

const actionSchema = z.discriminatedUnion("kind", [
  xidActionSchema,
  cudaActionSchema,
  passthroughActionSchema,
  partitionActionSchema,
]);

/** An action without the parts that the API chooses. */
export type RequestedAction = z.output<typeof actionSchema>;

/** What a caller asks for. Names, ids and times that follow from it are the API's to choose. */
export const faultRequestSchema = z
  .strictObject({
    name: nameSchema
      .exactOptional()
      .describe("Chosen by the caller: the same request again answers with the same fault."),
    run: nameSchema.describe("Which test it belongs to."),
    namespace: nameSchema.describe("The namespace under test."),
    action: actionSchema,
    durationSeconds: durationSchema.describe("However often it is renewed, it ends then."),
    leaseSeconds: durationSchema.describe("How long it lives without being renewed."),
    allowRealReboot: z
      .boolean()
      .exactOptional()
      .describe("A detector may really restart or replace the machine."),
    wait: z
      .boolean()
      .exactOptional()
      .describe("Answer once it was carried out, or after ten seconds. Default false."),
  })
  .refine(({ leaseSeconds, durationSeconds }) => leaseSeconds <= durationSeconds, {
    path: ["leaseSeconds"],
    error: "must not be longer than durationSeconds",
  })
  .refine(({ action, namespace }) => isOfNamespace(action, namespace), {
    path: ["action", "workload", "namespace"],
    error: "must be the namespace under test",
  });

/** What a caller asks for, checked and with its defaults. */
export type FaultRequest = z.output<typeof faultRequestSchema>;

/** The same as callers write it. */
export type FaultRequestInput = ReadonlyAll<z.input<typeof faultRequestSchema>>;

/** Values that are handed over and never changed. */
type ReadonlyAll<T> = T extends object ? { readonly [Key in keyof T]: ReadonlyAll<T[Key]> } : T;

/** A workload of another namespace would be broken by somebody who may only break this one. */
function isOfNamespace(action: RequestedAction, namespace: string): boolean {
  return !("workload" in action) || action.workload.namespace === namespace;
}
