import type { BaselineProposalView } from "../../../../src/control/api/baselines.ts";
import { countOf, formatCount } from "../../format.ts";

/** What came of learning, in a sentence: how many candidates, or why there is none. */
export function learnedWords(proposal: BaselineProposalView): string {
  const { runs, days, candidates, unlearned } = proposal;
  const window = `the last ${formatCount(days)} days`;
  const from = `${countOf(runs, "run")} of ${window}`;
  const open = candidates.filter(({ state }) => state === "candidate").length;
  const left = unlearned.length === 0 ? "" : ` ${othersOf(unlearned.length)}`;
  if (open > 0) {
    const them = open === 1 ? "it" : "them";
    return `${countOf(open, "candidate")} from ${from}: nothing is held against ${them} until somebody takes ${them}.${left}`;
  }
  if (candidates.length > 0) {
    return `Nothing new: what ${from} show was learned before, and decided on.${left}`;
  }
  if (runs === 0) return `Nothing could be learned: there are no runs of ${window}.`;
  const [first] = unlearned;
  if (first === undefined) {
    return `Nothing could be learned from ${from}: none that counts has completed.`;
  }
  const more = unlearned.length - 1;
  const rest = more === 0 ? "" : `; the same goes for ${formatCount(more)} more`;
  return `Nothing could be learned from ${from}: ${first.reason}${rest}.`;
}

function othersOf(count: number): string {
  return `For ${count === 1 ? "one other kind" : `${formatCount(count)} other kinds`} of run there is too little yet.`;
}
