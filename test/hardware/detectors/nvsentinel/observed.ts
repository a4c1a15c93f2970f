import { readFileSync } from "node:fs";

export interface ObservedStep {
  readonly step: string;
  readonly observed: {
    readonly unschedulable?: boolean;
    readonly taints?: readonly { readonly key: string; readonly effect: string }[];
    readonly labels?: Record<string, string>;
    readonly annotations?: Record<string, string>;
    readonly status?: string;
  };
}

/** What the real fault-quarantine did on a real API server. */
export const observed = JSON.parse(
  readFileSync(new URL("../fixtures/nvsentinel-observed.json", import.meta.url), "utf8"),
) as { readonly steps: readonly ObservedStep[]; readonly store_rows: readonly string[] };
