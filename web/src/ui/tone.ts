import type { Standing } from "../../../src/control/api/common.ts";

/** The colours that mean something. */
export type Tone =
  | "pass"
  | "warn"
  | "suspect"
  | "fail"
  | "unknown"
  | "untested"
  | "info"
  | "accent"
  | "ink-2"
  | "simulated";

/** How a standing is told besides its colour: a letter, and a word. */
export const standingSigns: Readonly<
  Record<Standing, { readonly letter: string; readonly word: string; readonly tone: Tone }>
> = {
  pass: { letter: "P", word: "pass", tone: "pass" },
  warn: { letter: "W", word: "warn", tone: "warn" },
  suspect: { letter: "S", word: "suspect", tone: "suspect" },
  fail: { letter: "F", word: "fail", tone: "fail" },
  unknown: { letter: "?", word: "unknown", tone: "unknown" },
  untested: { letter: "·", word: "untested", tone: "untested" },
};

/** Worst first: the order in which people want to read them. */
export const standingOrder: readonly Standing[] = [
  "fail",
  "suspect",
  "unknown",
  "warn",
  "untested",
  "pass",
];
