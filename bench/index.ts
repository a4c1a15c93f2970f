import type { Bench } from "./bench.ts";

/** Every benchmark by name; its code is loaded only when it runs. */
export const benches: Readonly<Record<string, () => Promise<{ readonly bench: Bench }>>> = {
  "cli/startup": () => import("./cli/startup.ts"),
  "kube/reflector": () => import("./kube/reflector.ts"),
  "store/transactions": () => import("./store/transactions.ts"),
};
