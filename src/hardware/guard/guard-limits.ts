import { z } from "zod";

/** How far faults may go. Every field has a default, so that an empty object is a careful guard. */
export const guardLimitsSchema = z.strictObject({
  /** Namespaces that may be tested besides those with the opt-in label. */
  namespaces: z.array(z.string().max(63)).max(1_000).default([]),
  /** Nodes that are never touched, whatever their labels. */
  denyNodes: z.array(z.string().max(253)).max(10_000).default([]),
  /** Nodes that are broken at the same time. */
  nodesMax: z.int().min(1).max(10_000).default(2),
  /** Of the GPU nodes; one is always allowed. */
  percentMax: z.number().gt(0).max(100).default(25),
  /** From the end of the last XID on a node to the next one there. */
  cooldownSeconds: z.int().min(0).max(86_400).default(30),
  /** GPU pods of other namespaces may be on the node. */
  allowCoTenants: z.boolean().default(false),
  /** Pods may be on the node whose disruption budget allows no disruption. */
  allowBlockedBudgets: z.boolean().default(false),
  /** Machines may really be reset, restarted or replaced, for callers who allow it too. */
  allowRealReboots: z.boolean().default(false),
  /** How NVSentinel's node-drainer is set up; it does not say so itself. */
  drainMode: z
    .enum(["AllowCompletion", "Immediate", "DeleteAfterTimeout", "unknown"])
    .default("unknown"),
  /** Of one sequence of XIDs. */
  linesMax: z.int().min(1).max(64).default(16),
  /** From the first to the last line of a sequence. */
  sequenceSecondsMax: z.int().min(1).max(3_600).default(120),
  /** NVSentinel's circuit breaker, where its chart was told otherwise. */
  breakerPercent: z.number().gt(0).max(100).default(50),
});

export type GuardLimits = z.output<typeof guardLimitsSchema>;

/** The careful guard. */
export const guardLimitsDefaults: GuardLimits = guardLimitsSchema.parse({});
