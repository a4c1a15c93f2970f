import { type PolicyName, policyNames } from "../../validation/prioritize/index.ts";
import { usageError } from "../usage-error.ts";

/** The policies of `--policies`, all of them when not given. @throws E_USAGE */
export function parsePolicies(given: unknown): readonly PolicyName[] {
  if (typeof given !== "string") return policyNames;
  const names = given.split(",").map((name) => name.trim());
  const policies = names.map((name) => {
    const known = policyNames.find((one) => one === name);
    if (known !== undefined) return known;
    const problem = `There is no policy "${name}"; there are ${policyNames.join(", ")}.`;
    throw usageError("policy replay", problem);
  });
  const twice = policies.find((name, index) => policies.indexOf(name) !== index);
  if (twice === undefined) return policies;
  throw usageError("policy replay", `--policies names ${twice} twice.`);
}
