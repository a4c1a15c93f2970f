import type { Standing } from "../../../../../src/control/api/common.ts";
import type { standingLetters } from "../../../../../src/control/api/nodes.ts";

/** Standings as small numbers, from good to bad; what was never tested comes last. */
export const standingsByCode = [
  "pass",
  "warn",
  "suspect",
  "unknown",
  "fail",
  "untested",
] as const satisfies readonly Standing[];

/** Set in a code whose evidence is too old. */
export const staleBit = 8;

const codeOfLetter: Readonly<Record<(typeof standingLetters)[Standing], number>> = {
  p: 0,
  w: 1,
  s: 2,
  u: 3,
  f: 4,
  "-": 5,
};

const unknownCode = 3;

/** The code of a letter as the API writes it: capital when the evidence is too old. */
export function codeOf(letter: string): number {
  const small = letter.toLowerCase();
  const known: Readonly<Record<string, number>> = codeOfLetter;
  // A letter of a newer server is not known here, and what is not known is never healthy.
  const code = known[small] ?? unknownCode;
  return small === letter ? code : code | staleBit;
}

export function standingOf(code: number): Standing {
  return standingsByCode[code & ~staleBit] ?? "unknown";
}

export function isStale(code: number): boolean {
  return (code & staleBit) !== 0;
}
