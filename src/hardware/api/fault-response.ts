import { z } from "zod";
import type { FaultState, HardwareFault } from "../objects/index.ts";
import { type FaultView, faultView, faultViewSchema } from "./fault-view.ts";

/** The words that callers of the first fault injection service know. */
const statusWords = {
  planned: "pending",
  armed: "pending",
  injected: "injected",
  observed: "injected",
  reverting: "recovering",
  "revert-failed": "recovering",
  reverted: "recovered",
  failed: "failed",
} as const satisfies Record<FaultState, string>;

const statusSchema = z.enum(["pending", "injected", "recovering", "recovered", "failed"]);

/** The answer to everything that makes or ends a fault. */
export const faultResponseSchema = z.object({
  fault_id: z.string(),
  status: statusSchema,
  fault_type: z.string(),
  target: z.string(),
  injected_at: z.string().nullable(),
  message: z.string(),
  details: faultViewSchema,
});

/** One fault of a list. */
export const faultEntrySchema = z.object({
  id: z.string(),
  type: z.string(),
  target: z.string(),
  status: statusSchema,
  created_at: z.string().nullable(),
  injected_at: z.string().nullable(),
  recovered_at: z.string().nullable(),
  details: faultViewSchema,
});

export type FaultResponse = z.output<typeof faultResponseSchema>;
export type FaultEntry = z.output<typeof faultEntrySchema>;

export function faultResponse(fault: HardwareFault, message: string): FaultResponse {
  const details = faultView(fault);
  return {
    fault_id: details.id,
    status: statusWords[details.state],
    fault_type: typeWord(details),
    target: details.target,
    injected_at: details.injectedAt,
    message,
    details,
  };
}

export function faultEntry(fault: HardwareFault): FaultEntry {
  const details = faultView(fault);
  return {
    id: details.id,
    type: typeWord(details),
    target: details.target,
    status: statusWords[details.state],
    created_at: details.createdAt,
    injected_at: details.injectedAt,
    recovered_at: details.state === "reverted" ? details.endedAt : null,
    details,
  };
}

/** `gpu_xid_79`, `cuda`, `passthrough`, `network`. */
function typeWord({ kind, action }: FaultView): string {
  if (kind === "partition") return "network";
  const lines = action["lines"];
  const xid = Array.isArray(lines) ? (lines[0] as { readonly xid?: number })?.xid : undefined;
  return kind === "xid" ? `gpu_xid_${xid ?? "unknown"}` : kind;
}
