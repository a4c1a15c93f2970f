import type { RunRecord } from "../run.ts";
import { type Golden, type GoldenKey, goldenKeyText } from "./golden.ts";
import { readDigests } from "./read-digests.ts";

export interface GoldenOptions {
  /** Nodes that must have an answer before it is believed. @default 8 */
  readonly nodesMin?: number;
  /** The share of them that must have the same. @default 0.9 */
  readonly agreementMin?: number;
}

/** A golden and how sure it is. */
export interface LearnedGolden extends Golden {
  /** By case and output: nodes with an answer, and nodes with this one. */
  readonly votes: Readonly<Record<string, { readonly nodes: number; readonly agreeing: number }>>;
  /** The runs it was learned from. */
  readonly runIds: readonly string[];
}

/**
 * What enough nodes agree on, case by case. Each node has one vote, with the answer that all its
 * devices gave in its newest run; a node that is at odds with itself has none. Only runs that
 * completed count; whether they were judged healthy does not matter, since a wrong answer is a
 * minority or it is nobody's to tell.
 *
 * @param known what is frozen already: those cases are not learned again.
 */
export function learnGoldens(
  runs: readonly RunRecord[],
  known: readonly Golden[] = [],
  { nodesMin = 8, agreementMin = 0.9 }: GoldenOptions = {},
): readonly LearnedGolden[] {
  const frozen = new Map<string, Set<string>>();
  for (const golden of known) {
    const cases = frozen.get(goldenKeyText(golden)) ?? new Set();
    for (const name of Object.keys(golden.digests)) cases.add(name);
    frozen.set(goldenKeyText(golden), cases);
  }
  return [...collectVotes(runs).values()].flatMap((ballot) => {
    const cases = frozen.get(goldenKeyText(ballot.key)) ?? new Set();
    const learned = countBallot(ballot, {
      nodesMin,
      agreementMin,
      isFrozen: (name) => cases.has(name),
    });
    return Object.keys(learned.digests).length === 0 ? [] : [learned];
  });
}

interface Ballot {
  readonly key: GoldenKey;
  /** By case and output, then by node: its digest. */
  readonly votes: Map<string, Map<string, string>>;
  readonly runIds: Set<string>;
}

function collectVotes(runs: readonly RunRecord[]): ReadonlyMap<string, Ballot> {
  const ballots = new Map<string, Ballot>();
  const newestFirst = runs.toSorted((a, b) => endOf(b) - endOf(a));
  for (const { intent, result } of newestFirst) {
    if (result?.outcome !== "completed") continue;
    const found = readDigests(result.facts);
    if (found === undefined) continue;
    const { cluster, check, node } = intent;
    const key = { cluster, check, softwareKey: found.softwareKey };
    const ballot = ballots.get(goldenKeyText(key)) ?? { key, votes: new Map(), runIds: new Set() };
    ballots.set(goldenKeyText(key), ballot);
    for (const [name, byDevice] of Object.entries(found.digests)) {
      const [answer, ...others] = new Set(Object.values(byDevice));
      if (answer === undefined || others.length > 0) continue;
      const votes = ballot.votes.get(name) ?? new Map<string, string>();
      ballot.votes.set(name, votes);
      if (votes.has(node)) continue;
      votes.set(node, answer);
      ballot.runIds.add(intent.id);
    }
  }
  return ballots;
}

function countBallot(
  { key, votes, runIds }: Ballot,
  options: {
    readonly nodesMin: number;
    readonly agreementMin: number;
    readonly isFrozen: (name: string) => boolean;
  },
): LearnedGolden {
  const digests: Record<string, string> = {};
  const sure: Record<string, { nodes: number; agreeing: number }> = {};
  for (const [name, byNode] of votes) {
    if (options.isFrozen(name) || byNode.size < options.nodesMin) continue;
    const counts = new Map<string, number>();
    for (const digest of byNode.values()) counts.set(digest, (counts.get(digest) ?? 0) + 1);
    const [[digest, agreeing] = ["", 0]] = [...counts].toSorted(([, a], [, b]) => b - a);
    if (agreeing < options.agreementMin * byNode.size) continue;
    digests[name] = digest;
    sure[name] = { nodes: byNode.size, agreeing };
  }
  return { ...key, digests, votes: sure, runIds: [...runIds].toSorted() };
}

function endOf({ result }: RunRecord): number {
  return result?.endedAtMs ?? 0;
}
