import { readdirSync } from "node:fs";
import { join } from "node:path";

/** The experiments on our own training job; those in folders below need something else. */
export const folder = join(import.meta.dirname, "../../../examples/chaos");
const files = readdirSync(folder).filter((name) => name.endsWith(".yaml"));

export const twin = "-must-fail.yaml";
export const must = files.filter((name) => name.endsWith(twin));
export const may = files.filter((name) => !name.endsWith(twin));

const properties: Readonly<Record<string, string>> = {
  "kill-gpu": "state-equal",
  latency: "recovery-path",
  ecc: "state-equal",
  "dropped-collectives": "recovered",
  "partition-group": "recovered",
  "fail-pipeline-node": "recovered",
  "restart-dp-worker": "time-limit",
  "disk-full": "gate",
};

/** The property that a twin breaks: it fails for the reason that its file names, and no other. */
export function broken(name: string): string | undefined {
  return properties[name.replace(twin, "")];
}
