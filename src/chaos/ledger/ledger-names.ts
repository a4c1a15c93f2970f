import { ledgerProblem } from "./ledger-error.ts";

const runPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const ledgerSuffix = ".ledger.jsonl";
const lockPattern = /^(.+\.ledger\.jsonl)\.lock\.([1-9]\d{0,8})$/;

/** The name of a run's file. @throws E_LEDGER for a run whose name could lead elsewhere. */
export function fileNameOf(run: string): string {
  if (runPattern.test(run)) return `${run}${ledgerSuffix}`;
  throw ledgerProblem(run.slice(0, 100), "the name of a run has letters, digits, dots and hyphens");
}

export function isLedgerName(name: string): boolean {
  return name.endsWith(ledgerSuffix) && runPattern.test(name.slice(0, -ledgerSuffix.length));
}

export function lockNameOf(ledger: string, number: number): string {
  return `${ledger}.lock.${number}`;
}

/** The numbers of a ledger's locks, the highest first. */
export function lockNumbersOf(names: readonly string[], ledger: string): readonly number[] {
  return names
    .flatMap((name) => {
      const [, of, number] = lockPattern.exec(name) ?? [];
      return of === ledger ? [Number(number)] : [];
    })
    .toSorted((a, b) => b - a);
}
