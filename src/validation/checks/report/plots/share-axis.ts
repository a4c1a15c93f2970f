/** What decides whether two figures can be read on one axis. */
export interface OnAxis {
  readonly unit: string;
  readonly higherIsBetter: boolean;
  /** About how large its values are, without sign. */
  readonly level: number;
}

/** Beside one that is larger by more than this, a bar or a line is flat. */
const factorMax = 10;

/**
 * Figures in groups that share an axis: of one unit and direction, none more than ten times another,
 * at most so many. Groups and figures stay in their order.
 */
export function shareAxis<T extends OnAxis>(
  figures: readonly T[],
  groupMax: number,
): readonly (readonly T[])[] {
  const place = new Map(figures.map((figure, at) => [figure, at]));
  const placeOf = (figure: T | undefined) => (figure && place.get(figure)) ?? 0;
  const groups: T[][] = [];
  for (const figure of figures.toSorted((a, b) => b.level - a.level)) {
    const fitting = groups.find(([first, ...others]) => {
      if (first === undefined || others.length + 1 >= groupMax) return false;
      const isAlike = first.unit === figure.unit && first.higherIsBetter === figure.higherIsBetter;
      return isAlike && first.level <= factorMax * figure.level;
    });
    if (fitting === undefined) groups.push([figure]);
    else fitting.push(figure);
  }
  return groups
    .map((group) => group.toSorted((a, b) => placeOf(a) - placeOf(b)))
    .toSorted(([a], [b]) => placeOf(a) - placeOf(b));
}
