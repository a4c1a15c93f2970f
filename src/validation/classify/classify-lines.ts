import type { Verdict } from "../../platform/words.ts";
import { classifyRuns } from "./classify-runs.ts";
import type { ClassifyOptions } from "./options.ts";
import type { ParsedLine } from "./parse-line.ts";
import type { ClassifyFinding } from "./types.ts";

/** The answer to one line of a file of runs, as `tessera classify --json` prints it. */
export interface ClassifiedLine {
  readonly node: string | null;
  readonly check: string | null;
  readonly timestamp: string | number | null;
  readonly verdict: Verdict;
  readonly reason: string;
  readonly findings: readonly ClassifyFinding[];
}

/** Classifies the runs of a file, given as its parsed lines; one answer a line, in the same order. */
export function classifyLines(
  lines: readonly ParsedLine[],
  options: ClassifyOptions = {},
): readonly ClassifiedLine[] {
  const runs = lines.flatMap(({ run }) => (run === undefined ? [] : [run]));
  const verdicts = classifyRuns(runs, options);
  let next = 0;
  return lines.map(({ node, check, timestamp, run, problem }, at) => {
    const own = run === undefined ? undefined : verdicts[next++];
    if (own !== undefined) return { node, check, timestamp, ...own };
    const finding = { metric: "*", rule: "line", value: at + 1, bound: null, cohort: "" } as const;
    const reason = `Line ${at + 1} ${problem ?? "cannot be read"}.`;
    return { node, check, timestamp, verdict: "unknown", reason, findings: [finding] };
  });
}
