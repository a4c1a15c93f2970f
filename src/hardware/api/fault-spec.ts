import { createHash } from "node:crypto";
import type { RngStream } from "../../platform/rng/index.ts";
import { type FaultAction, type HardwareFaultSpec, scopeOf } from "../objects/index.ts";
import type { FaultRequest } from "./fault-request.ts";

/** On every fault: what was asked for, so that the same request again can be told from another. */
export const requestLabel = "tessera.dev/request";

/** What the API adds to a request. */
export interface SpecFacts {
  /** The fault's name. */
  readonly name: string;
  /** The user name that the API server knows the caller by. */
  readonly requestedBy: string;
  readonly nowMs: number;
  readonly random: Pick<RngStream, "float">;
}

/** A request as the fault that it asks for. */
export function specOf(request: FaultRequest, facts: SpecFacts): HardwareFaultSpec {
  const { run, namespace, durationSeconds, leaseSeconds, allowRealReboot } = request;
  return {
    run,
    requestedBy: facts.requestedBy,
    namespace,
    action: actionOf(request, facts),
    expiresAt: new Date(facts.nowMs + durationSeconds * 1000).toISOString(),
    leaseSeconds,
    ...(allowRealReboot === undefined ? {} : { allowRealReboot }),
  };
}

function actionOf({ action, namespace }: FaultRequest, facts: SpecFacts): FaultAction {
  switch (action.kind) {
    case "xid":
      return { ...action, correlationId: correlationId(facts.random) };
    case "cuda": {
      const { kind, node, workload, fault } = action;
      return { kind, node, scope: scopeOf(workload), fault };
    }
    case "passthrough":
      return { ...action, scope: scopeOf(action.workload) };
    case "partition":
      // One policy for each fault: a second partition never meets the first.
      return { ...action, namespace, policy: `tessera-${facts.name}` };
  }
}

/** 12 hex digits. */
function correlationId(random: SpecFacts["random"]): string {
  return Array.from({ length: 12 }, () => Math.floor(random.float() * 16).toString(16)).join("");
}

/** Short enough for a label; the caller is part of it, so nobody takes over another's fault. */
export function requestHash(request: FaultRequest, requestedBy: string): string {
  const { wait: _, ...asked } = request;
  const text = JSON.stringify([requestedBy, sorted(asked)]);
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

/** Objects with their keys in one order, so that equal requests have equal texts. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(
    entries
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
