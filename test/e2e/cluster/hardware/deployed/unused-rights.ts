import type { ServerRequest } from "./audit.ts";
import { listedRights } from "./held-rights.ts";

/** Rights that the tests of the shipped manifests have no use for, and who has. */
const unusedHere = {
  api: [
    // Sets of pods of other kinds, and partitions: rights.test.ts, workload.test.ts.
    /(statefulsets|leaderworkersets|jobs|networkpolicies)\./,
    // A fault is deleted a day after its end.
    /^(patch|delete) hardwarefaults\.tessera\.dev$/,
    // Whoever comes first clears the condition, and that may always be the agent: rights.test.ts.
    /^patch nodes\/status$/,
  ],
  agent: [
    // What the API left undone when it was gone: kills.test.ts.
    /(statefulsets|leaderworkersets|networkpolicies|deployments)\./,
  ],
} as const;

/** Rights of a program that none of its requests has needed, though it should have. */
export function unusedRights(
  holder: "api" | "agent",
  requests: readonly ServerRequest[],
): readonly string[] {
  const used = new Set(requests.flatMap(({ right, name }) => [right, `${right} ${name}`]));
  const listed = listedRights(holder, ["cluster", "installation", "under-test"], { drains: true });
  return [...listed].filter(
    (right) => !used.has(right) && !unusedHere[holder].some((one) => one.test(right)),
  );
}
