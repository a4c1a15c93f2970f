import { createRng, type RngStream } from "../../../../../src/platform/rng/index.ts";

/** What can be killed: the test, the fault API, the agent of the node that is broken. */
export type Part = "runner" | "api" | "agent";

/** How far the test is, in this order. */
export const moments = ["before", "rollout", "armed", "line", "drain", "reverting"] as const;
export type Moment = (typeof moments)[number];

/** One test and what happens to it. */
export interface RoundPlan {
  readonly killed: readonly Part[];
  /** Those that the cluster starts again at once. The others stay away until all is restored. */
  readonly restarted: readonly Exclude<Part, "runner">[];
  readonly moment: Moment;
  /** After the moment has come. */
  readonly delayMs: number;
  /** A person closes the node before it is broken. */
  readonly closedByPerson: boolean;
  /** Whether somebody changes workload and node before the kill or after it. */
  readonly edited: "before" | "after";
  /** A test that nobody killed is interrupted by its user so long after the kill. */
  readonly patienceMs: number;
}

const combinations: readonly (readonly Part[])[] = [
  ["runner"],
  ["api"],
  ["agent"],
  ["runner", "api"],
  ["runner", "agent"],
  ["api", "agent"],
];

/** How long each of the moments lasts, about. */
const spanMs: Readonly<Record<Moment, number>> = {
  before: 150,
  rollout: 3000,
  armed: 300,
  line: 400,
  drain: 2500,
  reverting: 150,
};

/** Six rounds in turn have every combination and every moment. */
export function planRounds(seed: string, count: number): readonly RoundPlan[] {
  const random = createRng(seed).stream("rounds");
  const plans: RoundPlan[] = [];
  while (plans.length < count) {
    const shuffled = random.shuffle(moments);
    for (const [index, killed] of combinations.entries()) {
      plans.push(planRound(random, killed, shuffled[index] ?? "before"));
    }
  }
  return plans.slice(0, count);
}

function planRound(random: RngStream, killed: readonly Part[], moment: Moment): RoundPlan {
  const isLate = moments.indexOf(moment) >= moments.indexOf("armed");
  return {
    killed,
    restarted: restartsOf(random, killed),
    moment,
    delayMs: random.int(spanMs[moment]),
    closedByPerson: isLate && random.int(3) === 0,
    // Taking back takes no longer than an edit: before it would be before the end of all.
    edited: moment === "reverting" ? "after" : random.pick(["before", "after"]),
    patienceMs: 500 + random.int(3000),
  };
}

/**
 * Whoever is left suffices: without runner and API the agent, without runner and agent the API. The
 * node of a dead agent needs the API though: of those two one comes back.
 */
function restartsOf(random: RngStream, killed: readonly Part[]): RoundPlan["restarted"] {
  const others = killed.filter((part) => part !== "runner");
  if (killed.includes("runner")) return [];
  return others.length === 2 || random.int(2) === 0 ? [random.pick(others)] : [];
}

/** For the title of a test. */
export function describeRound(plan: RoundPlan): string {
  const { killed, restarted, moment, delayMs, closedByPerson, edited } = plan;
  const back = restarted.length === 0 ? "" : `, ${restarted.join(" and ")} back at once`;
  const person = closedByPerson ? ", on a node that a person had closed" : "";
  return `${killed.join(" and ")} at ${moment} + ${delayMs} ms${back}${person}, edited ${edited}`;
}
