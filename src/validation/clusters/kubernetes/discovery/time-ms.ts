/** The API's way to write times, as Unix time in milliseconds; undefined when it is none. */
export function timeMs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}
