import { z } from "zod";
import { named } from "../../platform/http/api-schemas.ts";
import type { Caller } from "../../platform/http/auth/caller.ts";
import { count, cursorParam, limitParam, nextField } from "./common.ts";

/** A hardware fault as the fault API tells of it. */
export const hardwareFaultSchema = named(
  "HardwareFaultView",
  z.strictObject({
    id: z.string(),
    run: z.string(),
    kind: z.string(),
    namespace: z.string(),
    node: z.string().nullable(),
    target: z.string(),
    state: z.string(),
    isLive: z.boolean(),
    requestedBy: z.string(),
    createdAt: z.string().nullable(),
    injectedAt: z.string().nullable(),
    observedAt: z.string().nullable(),
    endedAt: z.string().nullable(),
    expiresAt: z.string(),
    leaseUntil: z.string().nullable(),
    endReason: z.string().nullable(),
    sightings: z.array(
      z.strictObject({
        at: z.string(),
        by: z.string(),
        what: z.string(),
        detail: z.string().nullable(),
      }),
    ),
    left: z.array(z.string()),
    message: z.string().nullable(),
    predicted: z
      .array(
        z.strictObject({
          detector: z.string(),
          what: z.string(),
          expected: z.string(),
          observed: z.string().nullable(),
          agrees: z
            .boolean()
            .nullable()
            .describe("Null while it can still happen, or cannot be known."),
        }),
      )
      .describe("What each detector should do, beside what was seen."),
  }),
);

export const faultListQuery = z.strictObject({
  limit: limitParam({ default: 500, max: 1000 }),
  cursor: cursorParam,
});

export const hardwareFaultsSchema = named(
  "HardwareFaults",
  z.strictObject({
    available: z.boolean(),
    unanswered: z
      .boolean()
      .describe(
        "A fault API is configured and did not answer: faults may be in force that are not listed.",
      ),
    reason: z.string().describe("Why the fault API cannot be asked, or where it is."),
    faults: z.array(hardwareFaultSchema),
    live: count
      .nullable()
      .describe("In force, on all pages together; null where the fault API cannot be asked."),
    left: count
      .nullable()
      .describe(
        "Over and not wholly undone, on all pages together; null where the fault API cannot be asked.",
      ),
    next: nextField,
  }),
);

export const faultPlanSchema = named(
  "HardwareFaultPlan",
  z.strictObject({
    allowed: z.boolean(),
    node: z.string().nullable(),
    lines: z.array(z.string()).describe("What will stand in the kernel log."),
    detectors: z.array(
      z.strictObject({
        name: z.string(),
        present: z.string(),
        matched: z.boolean(),
        isFatal: z.boolean(),
        action: z.string(),
        cordon: z.string(),
        drain: z.string(),
        why: z.string(),
      }),
    ),
    pods: z.array(z.strictObject({ name: z.string(), workload: z.string(), effect: z.string() })),
    guard: z.array(z.strictObject({ rule: z.string(), allows: z.boolean(), reason: z.string() })),
    realReboot: z.string(),
    restarts: z.string().nullable(),
  }),
);

const k8sName = z
  .string()
  .max(253)
  .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, {
    error: "must consist of lower-case letters, digits, hyphens and dots",
  });

/** An XID in the kernel log of a node, with the CUDA error it goes with where a workload is named. */
export const faultBody = z.strictObject({
  namespace: k8sName.describe("The namespace under test."),
  node: k8sName,
  gpu: z.int().min(0).max(63).default(0),
  xid: z.int().min(1).max(999).default(79),
  durationSeconds: z.int().min(5).max(86_400).default(300),
  allowRealReboot: z.boolean().default(false),
});

export const xidRowSchema = z.strictObject({
  code: z.int(),
  name: z.string(),
  severity: z.string(),
  description: z.string(),
});

export type HardwareFaultView = z.output<typeof hardwareFaultSchema>;
export type HardwareFaultsView = z.output<typeof hardwareFaultsSchema>;
export type HardwareFaultPlanView = z.output<typeof faultPlanSchema>;
export type FaultBody = z.output<typeof faultBody>;
export type XidRow = z.output<typeof xidRowSchema>;

export interface FaultsPort {
  list(query: z.output<typeof faultListQuery>): Promise<HardwareFaultsView>;
  /** Changes nothing. @throws E_HW_API_UNREACHABLE, E_HW_FORBIDDEN */
  plan(body: FaultBody, by: Caller): Promise<HardwareFaultPlanView>;
  inject(body: FaultBody, by: Caller, signal: AbortSignal): Promise<HardwareFaultView>;
  revert(id: string, by: Caller): Promise<HardwareFaultView>;
  xids(): readonly XidRow[];
}
