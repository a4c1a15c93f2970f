import type { ClusterOverviewView } from "../../../../src/control/api/overview.ts";

type Coverage = ClusterOverviewView["coverage"];

const reasons = [
  ["overdueFree", "free, and waiting for their turn"],
  ["overdueUnderTest", "being tested now"],
  ["overdueBusy", "in use, so they were not disturbed"],
  ["overdueUntestable", "cannot be tested as they are"],
  ["overdueUnseen", "not seen: nobody can tell"],
] as const;

/** The nodes without fresh evidence by what they do now; only those that there are. */
export function overdueParts(
  coverage: Pick<Coverage, (typeof reasons)[number][0]>,
): readonly { readonly count: number; readonly why: string }[] {
  return reasons.flatMap(([key, why]) => {
    const count = coverage[key];
    return count === 0 ? [] : [{ count, why }];
  });
}
