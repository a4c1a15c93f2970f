import { z } from "zod";
import { faultNames } from "../fault/fault-names.ts";
import type { ChaosPlan } from "../plan/index.ts";

const us = z.int().min(0);

const triggerSchema = z.discriminatedUnion("kind", [
  z.looseObject({ kind: z.literal("time"), atUs: us }),
  z.looseObject({ kind: z.literal("step"), step: z.int().min(1) }),
  z.looseObject({ kind: z.literal("collective"), axis: z.string(), nth: z.int().min(1) }),
  z.looseObject({ kind: z.literal("checkpoint"), nth: z.int().min(1), phase: z.string() }),
  z.looseObject({ kind: z.literal("restore"), nth: z.int().min(1) }),
]);

const faultSchema = z.looseObject({
  id: z.string().min(1),
  fault: z.enum(faultNames),
  params: z.record(z.string(), z.unknown()),
  targets: z.array(z.looseObject({ kind: z.string() })),
  trigger: triggerSchema,
  durationUs: us.nullable(),
});

/** Enough of a plan to tell one from anything else; worlds refuse what they cannot run. */
const planSchema = z.looseObject({
  format: z.literal("tessera-chaos-plan/1"),
  title: z.string(),
  seed: z.string(),
  workload: z.looseObject({ kind: z.enum(["training", "inference", "command", "pods", "slurm"]) }),
  fleet: z.looseObject({ nodes: z.int(), devicesPerNode: z.int() }),
  timeouts: z.record(z.string(), us),
  faults: z.array(faultSchema).max(100_000),
  steadyState: z.array(z.unknown()),
  expect: z.looseObject({ claim: z.enum(["inside", "outside"]) }),
  limits: z.looseObject({ durationUs: us }),
  defects: z.array(z.string()),
});

/** A plan, or what is wrong with it, in a sentence. */
export function readPlan(value: unknown): ChaosPlan | string {
  const parsed = planSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `its plan does not fit at ${issue?.path.join(".") || "its top"}: ${issue?.message ?? ""}`;
  }
  const ids = new Set(parsed.data.faults.map(({ id }) => id));
  if (ids.size < parsed.data.faults.length) return "two faults of its plan have the same id";
  return value as ChaosPlan;
}
