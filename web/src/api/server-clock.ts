/** How far the server's clock is ahead of the browser's, as answers have shown it. */
let aheadMs = 0;

/** A date in a header is cut to the second. */
const stepMs = 1000;

interface Call {
  readonly sentMs: number;
  readonly gotMs: number;
}

/**
 * How far the server is ahead, after an answer with this date. It was written somewhere between the question
 * and the answer: what was found before is moved only as far as that asks for, so that it does not jump.
 */
export function aheadAfter(beforeMs: number, date: string | null, { sentMs, gotMs }: Call): number {
  const writtenMs = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(writtenMs)) return beforeMs;
  const [least, most] = [writtenMs - gotMs, writtenMs + stepMs - sentMs];
  return Math.min(Math.max(beforeMs, least), most);
}

/** Learns from the date of an answer; times are the browser's. */
export function noteServerTime(date: string | null, call: Call): void {
  aheadMs = aheadAfter(aheadMs, date, call);
}

/** A moment of the browser's clock in the server's time, which all moments in its answers are of. */
export function inServerTime(browserMs: number): number {
  return browserMs + aheadMs;
}

export function forgetServerTime(): void {
  aheadMs = 0;
}
