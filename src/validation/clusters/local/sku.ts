import { skuOf } from "../sku.ts";

/** The SKU of a machine by the models of its GPUs: `host` without any, `mixed` with several kinds. */
export function skuOfMachine(models: readonly string[]): string {
  const [first, ...others] = new Set(models.map((model) => skuOf(model)));
  if (first === undefined) return "host";
  return others.length === 0 ? first : "mixed";
}
