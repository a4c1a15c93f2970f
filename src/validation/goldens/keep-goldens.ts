import { version } from "../../version.ts";
import type { History } from "../history/history.ts";
import { goldenBaseline, goldensIn } from "./as-baseline.ts";
import { type Golden, goldenKeyText } from "./golden.ts";
import { type GoldenOptions, type LearnedGolden, learnGoldens } from "./learn.ts";

const dayMs = 86_400_000;
const windowDays = 90;
const runsMax = 20_000;
const baselinesMax = 10_000;

/**
 * Freezes what enough nodes of a cluster have come to agree on since. What is frozen is not learned
 * again; what a person has rejected (`tessera baseline reject`) stays out of use. Meant for once a day; doing it twice is doing it once.
 *
 * @returns the ids of what was frozen.
 */
export async function keepGoldens(
  history: History,
  given: { readonly cluster: string; readonly nowMs: number; readonly options?: GoldenOptions },
): Promise<readonly string[]> {
  const { cluster, nowMs, options } = given;
  const filter = { cluster, plannedFromMs: nowMs - windowDays * dayMs, limit: runsMax };
  const runs = await history.runs(filter);
  const active = await history.baselines({ state: "active", limit: baselinesMax });
  const rejected = await history.baselines({ state: "rejected", limit: baselinesMax });
  const wanted = withoutRejected(
    learnGoldens(runs, goldensIn(active, nowMs), options),
    goldensIn(rejected, nowMs, "rejected"),
  );
  const frozen: string[] = [];
  for (const learned of wanted) {
    const sku = runs.find(({ intent }) => intent.id === learned.runIds[0])?.intent.sku ?? "";
    const baseline = goldenBaseline(learned, { sku, nowMs, code: version });
    const by = { actor: "tessera", reason: reasonOf(learned.votes) };
    await history.saveBaseline(baseline, by);
    await history.changeBaseline(baseline.id, { state: "active", atMs: nowMs, ...by });
    frozen.push(baseline.id);
  }
  return frozen;
}

function withoutRejected(
  learned: readonly LearnedGolden[],
  rejected: readonly Golden[],
): readonly LearnedGolden[] {
  return learned.flatMap((golden) => {
    const key = goldenKeyText(golden);
    const against = rejected.filter((one) => goldenKeyText(one) === key);
    const isRejected = (name: string) =>
      against.some(({ digests }) => digests[name] === golden.digests[name]);
    const names = Object.keys(golden.digests).filter((name) => !isRejected(name));
    const chosen = <V>(all: Readonly<Record<string, V>>) =>
      Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
    if (names.length === 0) return [];
    return [{ ...golden, digests: chosen(golden.digests), votes: chosen(golden.votes) }];
  });
}

function reasonOf(
  votes: Readonly<Record<string, { readonly nodes: number; readonly agreeing: number }>>,
): string {
  const all = Object.values(votes);
  const nodes = Math.min(...all.map((vote) => vote.nodes));
  const share = Math.min(...all.map((vote) => vote.agreeing / vote.nodes));
  return `${all.length} answers that at least ${nodes} nodes gave, ${Math.floor(100 * share)} % or more of them the same.`;
}
