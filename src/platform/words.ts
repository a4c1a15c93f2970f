/** How one execution of a check ended. Says nothing about the health of the node. */
export const runOutcomes = ["completed", "error", "timeout", "cancelled"] as const;
export type RunOutcome = (typeof runOutcomes)[number];

/** What we conclude about health, from best to worst evidence. */
export const verdicts = ["pass", "warn", "suspect", "fail", "unknown"] as const;
export type Verdict = (typeof verdicts)[number];

/** How an experiment ended. */
export const experimentOutcomes = ["pass", "fail", "inconclusive"] as const;
export type ExperimentOutcome = (typeof experimentOutcomes)[number];

/** Where a number comes from. Never mixed, always shown. */
export const provenances = ["measured", "modelled", "simulated"] as const;
export type Provenance = (typeof provenances)[number];
