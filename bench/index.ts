import type { Bench } from "./bench.ts";
import { cudaBenches } from "./cuda/index.ts";

/** Every benchmark by name; its code is loaded only when it runs. */
export const benches: Readonly<Record<string, () => Promise<{ readonly bench: Bench }>>> = {
  "chaos/campaign": () => import("./chaos/campaign.ts"),
  "chaos/fleet-year": () => import("./chaos/fleet-year.ts"),
  "chaos/job-year": () => import("./chaos/job-year.ts"),
  "chaos/minimise": () => import("./chaos/minimise.ts"),
  "chaos/sim-events": () => import("./chaos/sim-events.ts"),
  "checkpoint/save-load": () => import("./checkpoint/save-load.ts"),
  "cli/agent-start": () => import("./cli/agent-start.ts"),
  "cli/startup": () => import("./cli/startup.ts"),
  ...cudaBenches,
  "hardware/detection": () => import("./hardware/detection.ts"),
  "hardware/revert": () => import("./hardware/revert.ts"),
  "hardware/shim-overhead": () => import("./hardware/shim-overhead.ts"),
  "kube/reflector": () => import("./kube/reflector.ts"),
  "store/transactions": () => import("./store/transactions.ts"),
  "tensor/all-reduce": () => import("./tensor/all-reduce.ts"),
  "tensor/matmul": () => import("./tensor/matmul.ts"),
  "time-model/errors": () => import("./time-model/errors.ts"),
  "time-model/speed": () => import("./time-model/speed.ts"),
  "validation/plan": () => import("./validation/plan.ts"),
  "validation/ingest": () => import("./validation/ingest.ts"),
  "validation/policy-replay": () => import("./validation/policy-replay.ts"),
  "validation/discovery": () => import("./validation/discovery.ts"),
  "validation/classify": () => import("./validation/classify.ts"),
  "verify/matmul-check": () => import("./verify/matmul-check.ts"),
};
