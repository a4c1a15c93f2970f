import { z } from "zod";
import type { JsonObject } from "../../platform/store/index.ts";
import type { RunDigests } from "./golden.ts";

const digestsSchema = z.object({
  softwareKey: z.string().min(1),
  digests: z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())])),
});
/** Who has a digest that is given once for all. */
const everyDevice = "every device";

/**
 * The digests among the facts of a run: `softwareKey`, and `digests` by case, one for all devices or
 * one for each. Undefined when it has none, as most checks do, or when its devices have different software. A run that was
 * broken on purpose has nothing to teach and nothing to be compared with.
 */
export function readDigests(facts: JsonObject): RunDigests | undefined {
  if (facts["brokenOnPurpose"] !== undefined) return undefined;
  const parsed = digestsSchema.safeParse(facts);
  if (!parsed.success) return undefined;
  const { softwareKey, digests } = parsed.data;
  const named = Object.entries(digests).map(([name, found]) => [
    name,
    typeof found === "string" ? { [everyDevice]: found } : found,
  ]);
  return { softwareKey, digests: Object.fromEntries(named) };
}
