import type { ItemStatus } from "../../words.ts";

/** Ways to set off text in a terminal. Without colour each returns its text unchanged. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  status(status: ItemStatus, text: string): string;
}

// Foreground colours that are readable on dark and on light terminals alike.
const statusCodes: Readonly<Record<ItemStatus, number>> = {
  pass: 32,
  warn: 33,
  suspect: 33,
  fail: 31,
  unknown: 35,
  skipped: 36,
};

export function createStyle(color: boolean): Style {
  const wrapWith = (code: number, end: number) => (text: string) =>
    color && text !== "" ? `\u001b[${code}m${text}\u001b[${end}m` : text;
  return {
    bold: wrapWith(1, 22),
    dim: wrapWith(2, 22),
    status: (status, text) => wrapWith(statusCodes[status], 39)(text),
  };
}
