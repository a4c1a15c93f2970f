import type { RunRecord } from "../run.ts";
import { type Golden, goldenKeyText } from "./golden.ts";
import { readDigests } from "./read-digests.ts";

/** Of one run: a broken device has as many as one likes. */
const factsMax = 20;

/** Frozen goldens, to be asked about runs. */
export interface Goldens {
  /** What of a run's answers is not what it must be, one sentence each; empty when all is well. */
  wrongAnswers(run: RunRecord): readonly string[];
}

/**
 * Holds runs against what is frozen. A run with software that nothing is known about is not wrong:
 * it is there to be learned from.
 */
export function goldensOf(frozen: readonly Golden[]): Goldens {
  const byKey = new Map<string, Map<string, string>>();
  for (const golden of frozen) {
    const cases = byKey.get(goldenKeyText(golden)) ?? new Map<string, string>();
    // What was frozen first stays: the list is newest first.
    for (const [name, digest] of Object.entries(golden.digests)) cases.set(name, digest);
    byKey.set(goldenKeyText(golden), cases);
  }
  return {
    wrongAnswers: ({ intent, result }) => {
      if (byKey.size === 0 || result === undefined) return [];
      const found = readDigests(result.facts);
      if (found === undefined) return [];
      const { cluster, check } = intent;
      const cases = byKey.get(goldenKeyText({ cluster, check, softwareKey: found.softwareKey }));
      if (cases === undefined) return [];
      const facts: string[] = [];
      for (const [name, byDevice] of Object.entries(found.digests)) {
        const golden = cases.get(name);
        if (golden === undefined) continue;
        for (const [device, digest] of Object.entries(byDevice)) {
          if (digest === golden || facts.length >= factsMax) continue;
          facts.push(
            `${device}: ${name}: the digest is ${digest}, and nodes with the same software have ${golden}`,
          );
        }
      }
      return facts;
    },
  };
}
