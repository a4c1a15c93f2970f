import type { FigureHistoryView } from "../../../../src/control/api/nodes.ts";

type Sibling = FigureHistoryView["siblings"][number];

/** Where a node stands among those it may be compared with. */
export interface SiblingPlace {
  readonly dots: readonly {
    readonly node: string;
    readonly share: number;
    readonly isSelf: boolean;
    readonly median: number;
  }[];
  readonly low: number;
  readonly high: number;
  /** The middle of the others; undefined without others. */
  readonly usual: number | undefined;
  readonly sentence: string;
}

/** Places the siblings on a line from the lowest to the highest; undefined without any. */
export function siblingPlace(figure: FigureHistoryView): SiblingPlace | undefined {
  const { siblings, higherIsBetter } = figure;
  const sorted = siblings.toSorted((a, b) => a.median - b.median);
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const [low, high] = [first.median, last.median];
  const share = (value: number) => (high > low ? (value - low) / (high - low) : 0.5);
  const dots = sorted.map(({ node, median, isSelf }) => ({
    node,
    median,
    isSelf,
    share: share(median),
  }));
  const others = sorted.filter(({ isSelf }) => !isSelf);
  return { dots, low, high, usual: middleOf(others), sentence: sentenceOf(sorted, higherIsBetter) };
}

function middleOf(sorted: readonly Sibling[]): number | undefined {
  const at = (sorted.length - 1) / 2;
  const [below, above] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  if (below === undefined || above === undefined) return undefined;
  return (below.median + above.median) / 2;
}

function sentenceOf(sorted: readonly Sibling[], higherIsBetter: boolean): string {
  const self = sorted.find(({ isSelf }) => isSelf);
  const others = sorted.length - (self === undefined ? 0 : 1);
  if (self === undefined) return `This node has no value; ${others} others have one.`;
  if (others === 0) return "No other node may be compared with it.";
  const better = sorted.filter(({ median, isSelf }) =>
    isSelf ? false : higherIsBetter ? median > self.median : median < self.median,
  ).length;
  if (better === 0) return `Best of ${sorted.length}.`;
  if (better === others) return `Worst of ${sorted.length}.`;
  return `Place ${better + 1} of ${sorted.length}, the best first.`;
}
