import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { helm as helmPart } from "../../../../cluster/binaries/parts.ts";
import { partPrograms } from "../../../../cluster/binaries/resolve.ts";
import type { Cluster } from "../../../../cluster/fixture.ts";
import { repositoryRoot } from "../../../../cluster/machine/repository.ts";
import { runChecked } from "../../../../cluster/machine/run.ts";

export const chartFolder = join(repositoryRoot(), "charts", "tessera");

/** Values of a chart. */
export type Values = Readonly<Record<string, unknown>>;

/** Runs the real Helm against a cluster, as its administrator; throws with its last words. */
export async function helm(cluster: Cluster, args: readonly string[]): Promise<string> {
  const { helm: program = "helm" } = partPrograms([helmPart]);
  const env = { KUBECONFIG: cluster.kubeconfigPath, HOME: cluster.dataDir };
  return await runChecked(program, args, { env, timeoutMs: 240_000 });
}

/** A file with values, for `--values`. */
export function valuesFile(values: Values): string {
  const path = join(mkdtempSync(join(tmpdir(), "tessera-values-")), "values.json");
  writeFileSync(path, JSON.stringify(values));
  return path;
}
