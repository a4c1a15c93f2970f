const msPerMinute = 60_000;
const msPerHour = 60 * msPerMinute;
const msPerDay = 24 * msPerHour;

/** A length of time for people: `40 min`, `2.5 h`, `3 d`; rounded up, so that none is `0 min`. */
export function lengthOf(ms: number): string {
  if (ms >= 2 * msPerDay) return `${short(ms / msPerDay)} d`;
  if (ms >= 2 * msPerHour) return `${short(ms / msPerHour)} h`;
  return `${Math.ceil(ms / msPerMinute)} min`;
}

/** A figure with at most one decimal: `2.5`, `3`. */
export function short(value: number): string {
  return String(Math.round(10 * value) / 10);
}

/** `1 run`, `2 runs`. */
export function runsOf(count: number): string {
  return count === 1 ? "1 run" : `${count} runs`;
}
