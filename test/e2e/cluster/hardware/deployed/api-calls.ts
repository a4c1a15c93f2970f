import { underTest } from "../support/installation.ts";
import type { ApiCall } from "./ask-api.ts";

/** What people may be allowed to do with hardware faults. */
export const verbs = ["plan", "inject", "renew", "revert", "read", "audit"] as const;
export type Verb = (typeof verbs)[number];

/** A fault that needs neither a node nor an agent. */
export const request = {
  run: "some-run",
  namespace: underTest,
  action: { kind: "partition", podSelector: { app: "nobody" } },
  durationSeconds: 600,
  leaseSeconds: 600,
};
/** One that is in force while others try their hands on it. */
export const held = { ...request, name: "held", run: "held" };
const old = { namespace: underTest, node_name: "nowhere", duration: 60 };
const cut = { partition_type: "custom", source: underTest, target: "x" };

/** Every call of the API that needs a right, by the right that it needs. */
export const calls: Readonly<Record<Verb, readonly ApiCall[]>> = {
  plan: [{ method: "POST", path: "/api/v1/plan", body: request }],
  inject: [
    { method: "POST", path: "/api/v1/faults", body: request },
    { method: "POST", path: "/api/v1/faults/gpu/inject/xid-79", body: old },
    { method: "POST", path: "/api/v1/faults/gpu/inject", body: { ...old, fault_type: "overheat" } },
    { method: "POST", path: "/api/v1/faults/network/inject", body: cut },
  ],
  renew: [{ method: "POST", path: "/api/v1/runs/held/renew" }],
  revert: [
    { method: "POST", path: "/api/v1/faults/held/recover" },
    { method: "DELETE", path: "/api/v1/faults/held" },
    { method: "POST", path: "/api/v1/faults/held/release-spec" },
    { method: "POST", path: "/api/v1/runs/held/revert" },
    { method: "POST", path: `/api/v1/faults/network/cleanup?namespace=${underTest}` },
  ],
  read: [
    { path: `/api/v1/faults?namespace=${underTest}` },
    { path: "/api/v1/faults/held" },
    { path: `/api/v1/metrics/collect?namespace=${underTest}` },
  ],
  audit: [{ path: `/api/v1/audit?namespace=${underTest}` }],
};
