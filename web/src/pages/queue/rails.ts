/** What each guard rail is for, in words for people. */
const explanations: Readonly<Record<string, { readonly title: string; readonly text: string }>> = {
  "quiet-hours": {
    title: "Quiet hours",
    text: "The settings name a time of day at which nothing is begun.",
  },
  "not-free": {
    title: "Not free",
    text: "Somebody uses the node, or it cannot take work. Users come first.",
  },
  "not-before": {
    title: "Not yet",
    text: "A retest waits, so as not to measure the same moment again; so does a check that came to nothing.",
  },
  cooldown: {
    title: "Cooling down",
    text: "The node's last run ended a short time ago.",
  },
  limit: {
    title: "Enough at once",
    text: "As many runs are under way as the settings allow.",
  },
  budget: {
    title: "Budget spent",
    text: "The GPU-hours of the day are used up; they begin again at midnight UTC.",
  },
  rack: {
    title: "Rack busy",
    text: "Enough runs are under way in the same rack, which shares power and cooling.",
  },
  "file-system": {
    title: "File system busy",
    text: "Enough runs are under way on the same file system; more would measure each other.",
  },
  node: {
    title: "After another",
    text: "Another run of the same node goes first.",
  },
  price: {
    title: "Kept back",
    text: "The risk policy keeps GPU-hours for what is worth more.",
  },
  check: {
    title: "Cannot run here",
    text: "This check cannot run on this node.",
  },
};

/** A rail that a newer server has is shown by its own name. */
export function explainRail(rail: string): { readonly title: string; readonly text: string } {
  return explanations[rail] ?? { title: rail, text: "" };
}

export interface RailGroup<Row> {
  readonly rail: string;
  /** All that it keeps back; the rows are the first of them. */
  readonly count: number;
  readonly rows: readonly Row[];
}

/** What is kept waiting by each rail, in the order of the counts. */
export function groupByRail<Row extends { readonly rail: string }>(
  counts: readonly { readonly rail: string; readonly count: number }[],
  rows: readonly Row[],
): readonly RailGroup<Row>[] {
  return counts.map(({ rail, count }) => ({
    rail,
    count,
    rows: rows.filter((row) => row.rail === rail),
  }));
}
