import type { FigureHistoryView } from "../../../../src/control/api/nodes.ts";
import { countOf, formatCount } from "../../format.ts";

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
  /** That not all are drawn; undefined when they are. */
  readonly sample: string | undefined;
}

/** Places the siblings on a line from the lowest to the highest; undefined without any. */
export function siblingPlace(figure: FigureHistoryView): SiblingPlace | undefined {
  const { dots, median } = figure.siblings;
  const sorted = dots.toSorted((a, b) => a.median - b.median);
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const [low, high] = [first.median, last.median];
  const share = (value: number) => (high > low ? (value - low) / (high - low) : 0.5);
  return {
    dots: sorted.map((dot) => ({ ...dot, share: share(dot.median) })),
    low,
    high,
    usual: median ?? undefined,
    sentence: sentenceOf(figure.siblings),
    sample: sampleOf(figure.siblings),
  };
}

function sentenceOf({ own, others, better, worse }: FigureHistoryView["siblings"]): string {
  if (own === null) {
    const have = others === 1 ? "1 other has" : `${formatCount(others)} others have`;
    return `The newest run of this node has no value; ${have} one.`;
  }
  if (others === 0) return "No other node may be compared with it.";
  const all = formatCount(others + 1);
  if (better === 0 && worse === 0) return `Equal to all ${formatCount(others)} others.`;
  if (better === 0) return `Best of ${all}.`;
  if (better === others) return `Worst of ${all}.`;
  return `Place ${formatCount(better + 1)} of ${all}, the best first.`;
}

function sampleOf({ dots, others }: FigureHistoryView["siblings"]): string | undefined {
  const drawn = dots.filter(({ isSelf }) => !isSelf).length;
  if (drawn >= others) return undefined;
  return `Place and middle are over all of them; ${countOf(drawn, "other")} are drawn, evenly from the lowest to the highest.`;
}
