import type { XidRow } from "../../../../src/control/api/faults.ts";

/** XIDs that a driver may write; numbers nobody gave a meaning are only in the way. */
export function usedXids(rows: readonly XidRow[]): readonly XidRow[] {
  return rows.filter(({ name }) => !/^(?:not used|unused|reserved)\b/i.test(name));
}

/** XIDs whose number begins with what was typed, or whose words have all of it; the number's first. */
export function searchXids(rows: readonly XidRow[], typed: string): readonly XidRow[] {
  const words = typed.trim().toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  const [first = ""] = words;
  const byNumber = words.length === 1 && /^\d+$/.test(first);
  const rank = (row: XidRow): number => {
    if (byNumber && String(row.code) === first) return 0;
    if (byNumber && String(row.code).startsWith(first)) return 1;
    const text = `${row.code} ${row.name} ${row.severity} ${row.description}`.toLowerCase();
    return words.every((word) => text.includes(word)) ? 2 : 3;
  };
  return rows
    .map((row) => ({ row, rank: rank(row) }))
    .filter((one) => one.rank < 3)
    .toSorted((a, b) => a.rank - b.rank || a.row.code - b.row.code)
    .map(({ row }) => row);
}
