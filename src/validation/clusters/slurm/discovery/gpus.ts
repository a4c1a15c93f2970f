import type { SlurmGres, SlurmNode } from "../../../../platform/slurm/index.ts";
import { skuOf } from "../../sku.ts";

/** How many GPUs are among what a node has or what of it is in use. */
export function gpusIn(gres: readonly SlurmGres[], name: string | null): number {
  return gres.filter((one) => one.name === name).reduce((sum, { count }) => sum + count, 0);
}

/** Models by themselves, since a letter and a number may as well be a place: `a12`. */
const modelFeature =
  /^(?:nvidia[-_])?(?:a10|a16|a30|a40|a100|a800|h20|h100|h200|h800|b100|b200|b300|gb200|gb300|l4|l40s?|v100s?|t4|p100)(?:[-_][a-z0-9._-]+)?$/i;

/**
 * The model of a node's GPUs: what its GRES is typed with, else a feature that reads like a model.
 * Several types at once are `mixed`.
 */
export function slurmSku({ gres, features }: SlurmNode, name: string | null): string {
  const gpus = gres.filter((one) => one.name === name && one.count > 0);
  if (name !== null && gpus.length === 0) return "unknown";
  const types = new Set(gpus.map(({ type }) => type).filter((type) => type !== ""));
  if (types.size > 1) return "mixed";
  const [type] = types;
  return skuOf(type ?? features.find((feature) => modelFeature.test(feature)));
}
