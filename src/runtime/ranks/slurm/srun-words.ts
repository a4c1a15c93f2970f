/** What a line of srun says. */
export type SrunWord =
  /** A task wrote it. */
  | { readonly is: "task"; readonly rank: number; readonly text: string }
  /** Tasks of a node have ended otherwise than well. */
  | {
      readonly is: "ended";
      readonly node: string;
      readonly ranks: readonly number[];
      readonly how: string;
    }
  /** From now on srun ends the tasks that are left. */
  | { readonly is: "terminating" }
  /** Slurm itself ended the step; the words are its own: `PREEMPTION`, `TIME LIMIT`. */
  | { readonly is: "cancelled"; readonly because: string }
  | { readonly is: "node-failure"; readonly node: string }
  | { readonly is: "other"; readonly text: string };

const labelled = /^\s*(\d{1,6}): (.*)$/;
const ended = /^srun: error: (\S+): tasks? ([\d,-]+): (.+)$/;
const cancelled = /\*\*\* (?:STEP|JOB) \S+ ON \S+ CANCELLED AT \S+(?: DUE TO (.+?))? \*\*\*/;
const ranksMax = 100_000;

/** Reads a line of `srun --label`, of either stream. */
export function readSrunLine(line: string): SrunWord {
  const because = cancelled.exec(line);
  if (because !== null) return { is: "cancelled", because: because[1] ?? "" };
  const [, rank, text = ""] = labelled.exec(line) ?? [];
  if (rank !== undefined) return { is: "task", rank: Number(rank), text };
  const [, node = "", list = "", how = ""] = ended.exec(line) ?? [];
  if (node !== "") return { is: "ended", node, ranks: ranksIn(list), how };
  const [, failed] = /^srun: error: Node failure on (\S+)$/.exec(line) ?? [];
  if (failed !== undefined) return { is: "node-failure", node: failed };
  if (/^srun: .*\bTerminating StepId=/.test(line)) return { is: "terminating" };
  return { is: "other", text: line };
}

/** `0-2,5` */
function ranksIn(list: string): readonly number[] {
  const ranks: number[] = [];
  for (const part of list.split(",")) {
    const [first = "", last = first] = part.split("-");
    for (let rank = Number(first); rank <= Number(last) && ranks.length < ranksMax; rank++) {
      ranks.push(rank);
    }
  }
  return ranks;
}
