export interface FuzzRun {
  readonly what: string;
  /** How many cases, and the number of the first. */
  readonly cases: number;
  readonly firstSeed: number;
  /** Judges the case of a number; throws when something is wrong with how it was read. */
  readonly check: (seed: number) => Promise<string>;
}

export interface FuzzResult {
  /** How often each outcome came. */
  readonly outcomes: ReadonlyMap<string, number>;
  /** For people: counts, most frequent first, and how long it took. */
  readonly report: string;
}

/** Checks one case after the other, and counts what came of them. */
export async function runFuzz({ what, cases, firstSeed, check }: FuzzRun): Promise<FuzzResult> {
  const outcomes = new Map<string, number>();
  const [begun, cpuBegun] = [performance.now(), process.cpuUsage()];
  const { stackTraceLimit } = Error;
  // Most of the time would go into stacks that nobody reads.
  Error.stackTraceLimit = 0;
  try {
    for (let seed = firstSeed; seed < firstSeed + cases; seed++) {
      const outcome = await check(seed);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  const seconds = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(cpuBegun);
  const cpu = `${((user + system) / 1e6).toFixed(1)} s of processors`;
  const lines = [...outcomes]
    .toSorted(([, one], [, other]) => other - one)
    .map(([outcome, count]) => `${String(count).padStart(9)}  ${outcome}`);
  const head = `measured: ${cases} ${what} in ${seconds.toFixed(1)} s (${cpu})`;
  return { outcomes, report: [head, ...lines].join("\n") };
}
