import type { NodeAssessment } from "./assess-nodes.ts";

/** How much of the fleet is proven, and what stands in the way of the rest. Each node counts once. */
export interface Coverage {
  readonly nodes: number;
  /** With complete evidence that is fresh enough. */
  readonly covered: number;
  /** Without it, and seen to be free: they will be tested. */
  readonly overdueFree: number;
  /** Without it, and in users' hands: the debt that grows while they are busy. */
  readonly overdueBusy: number;
  /** Without it, and not testable. */
  readonly overdueUntestable: number;
  /** Without it, and held by a run of ours. */
  readonly overdueUnderTest: number;
  /** Without it, and nobody can tell whether they could be tested. */
  readonly overdueUnseen: number;
  /** Covered, of all nodes; undefined when there are none. */
  readonly share: number | undefined;
  /**
   * Covered, of those that are covered or not known to be out of reach; undefined when there are
   * none. Nodes that nobody has seen are among them: leaving them out would make it look better.
   */
  readonly shareOfTestable: number | undefined;
}

export function coverageOf(assessments: readonly NodeAssessment[]): Coverage {
  const overdue = assessments.filter(({ complete }) => !complete);
  const count = (state: NodeAssessment["node"]["state"]) =>
    overdue.filter(({ node }) => node.state === state).length;
  const nodes = assessments.length;
  const covered = nodes - overdue.length;
  const overdueBusy = count("busy");
  const overdueUntestable = count("untestable");
  const overdueFree = count("free");
  const overdueUnderTest = count("under-test");
  const overdueUnseen = count("unseen");
  return {
    nodes,
    covered,
    overdueFree,
    overdueBusy,
    overdueUntestable,
    overdueUnderTest,
    overdueUnseen,
    share: shareOf(covered, nodes),
    shareOfTestable: shareOf(covered, covered + overdueFree + overdueUnderTest + overdueUnseen),
  };
}

function shareOf(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : part / whole;
}
