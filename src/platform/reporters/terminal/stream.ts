/** Where a terminal reporter writes. */
export interface TerminalStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

const widthDefault = 100;
const widthMin = 20;
const widthMax = 140;

/** The columns to write to: not more than the terminal has, nor than people read with ease. */
export function widthOf(stream: TerminalStream): number {
  const columns = stream.columns ?? widthDefault;
  return Math.min(Math.max(columns, widthMin), widthMax);
}

/** True when lines on this stream can be drawn over. */
export function canRedraw(stream: TerminalStream, env: Environment): boolean {
  return stream.isTTY === true && env["TERM"] !== "dumb";
}

/** True when the locale says that more than ASCII can be shown. */
export function isUnicode(env: Environment): boolean {
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "";
  return /utf-?8/i.test(locale);
}
