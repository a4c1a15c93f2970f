type Fields = Readonly<Record<string, unknown>>;

const colours: ReadonlyMap<string, number> = new Map([
  ["trace", 90],
  ["debug", 36],
  ["info", 32],
  ["warn", 33],
  ["error", 31],
  ["fatal", 35],
]);
const dim = 90;

/**
 * One log record as lines for people: time, level, message, then the other fields as `key=value`;
 * an error and its causes on lines of their own.
 *
 * @param record as read from JSON: plain values only.
 */
export function formatPretty(record: Fields, options: { readonly color: boolean }): string {
  const { level, time, msg, err, ...rest } = record;
  const paint = (code: number | undefined, text: string) =>
    options.color && code !== undefined ? `\u001B[${code}m${text}\u001B[39m` : text;
  const label = textOf(level);
  const message = textOf(msg);
  const words = [
    paint(dim, clockTime(textOf(time))),
    paint(colours.get(label), label.toUpperCase().padEnd(5)),
    ...(message === "" ? [] : [message]),
    ...Object.entries(rest).map((field) => paint(dim, showField(field))),
  ];
  return `${[words.join(" "), ...errorLines(err, message)].join("\n")}\n`;
}

/** The time of day in UTC: logs of machines in several time zones are read side by side. */
function clockTime(time: string): string {
  return /T(\d\d:\d\d:\d\d\.\d+Z)$/.exec(time)?.[1] ?? time;
}

/** @param said the message of the record, which need not be said again. */
function errorLines(err: unknown, said: string): string[] {
  if (err === undefined) return [];
  if (typeof err !== "object" || err === null) return [`  ${showValue(err)}`];
  const fields: Fields = Object.fromEntries(Object.entries(err));
  const { type, code, message, stack, cause, ...rest } = fields;
  const text = textOf(message);
  const head = code === undefined && text === said ? [] : [`  ${textOf(code ?? type)}: ${text}`];
  const more = Object.entries(rest).map((field) => `    ${showField(field)}`);
  const frames = typeof stack === "string" ? stack.split("\n").filter(isFrame).map(visible) : [];
  return [...head, ...more, ...frames, ...errorLines(cause, said)];
}

function isFrame(line: string): boolean {
  return line.startsWith("    at ");
}

function showField([key, value]: readonly [string, unknown]): string {
  return `${visible(key)}=${showValue(value)}`;
}

function showValue(value: unknown): string {
  const bare = typeof value === "string" && /^[^\s"'=]+$/.test(value);
  return bare ? visible(value) : visible(JSON.stringify(value) ?? "undefined");
}

function textOf(value: unknown): string {
  if (value === undefined) return "";
  return visible(typeof value === "string" ? value : JSON.stringify(value));
}

/** Control characters made visible: nothing that is logged may forge a line or steer a terminal. */
function visible(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\u2028\u2029]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
