import type { LedgerRecovery } from "../ledger/index.ts";

/** What came of taking back what earlier runs left, each in a sentence. */
export function recoveryNotes(
  { undone, failed, damaged }: LedgerRecovery,
  cleared: readonly string[],
): readonly string[] {
  return [
    ...undone.map(({ fault, target }) => takenBack(`${fault} of ${target}`)),
    ...failed.map(
      ({ fault, target }) => `${fault} of ${target} of an earlier run is still in force`,
    ),
    ...damaged.map(({ file, problem }) => `nobody knows what ${file} left: ${problem}`),
    ...cleared.map(takenBack),
  ];
}

function takenBack(what: string): string {
  return `taken back from an earlier run: ${what}`;
}
