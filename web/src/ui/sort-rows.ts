export type SortKey = string | number | null | undefined;

/** Sorted by a key; what has none comes last either way. Equal rows keep their order. */
export function sortRows<Row>(
  rows: readonly Row[],
  by: (row: Row) => SortKey,
  isDescending: boolean,
): readonly Row[] {
  const sign = isDescending ? -1 : 1;
  return rows
    .map((row) => ({ row, key: by(row) }))
    .toSorted((a, b) => compare(a.key, b.key, sign))
    .map(({ row }) => row);
}

function compare(a: SortKey, b: SortKey, sign: number): number {
  const lackA = isLacking(a);
  const lackB = isLacking(b);
  if (lackA || lackB) return Number(lackA) - Number(lackB);
  if (typeof a === "number" && typeof b === "number") return sign * (a - b);
  return sign * String(a).localeCompare(String(b), "en", { numeric: true });
}

function isLacking(key: SortKey): boolean {
  return key === null || key === undefined || Number.isNaN(key);
}
