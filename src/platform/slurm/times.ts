/** What Slurm's tools print where there is no time. */
const never = new Set(["", "Unknown", "None", "N/A", "NONE", "(null)", "n/a"]);

/**
 * Reads `2026-11-16T21:37:26`, in UTC unless told that it is this machine's time; undefined where
 * Slurm says that there is none.
 *
 * @throws Error when it is neither
 */
export function parseTimeMs(text: string, zone: "utc" | "local" = "utc"): number | undefined {
  if (never.has(text)) return undefined;
  const plain = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/.test(text);
  const ms = plain ? Date.parse(zone === "utc" ? `${text}Z` : text) : Number.NaN;
  if (Number.isNaN(ms)) throw new Error(`${JSON.stringify(text)} is no time`);
  return ms;
}

/** As Slurm's tools read a time when their zone is UTC. */
export function formatTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19);
}

/**
 * Reads a limit: `7-00:00:00`, `01:00:00`, `30:00`; undefined for one without end.
 *
 * @throws Error when it is neither
 */
export function parseLimitMs(text: string): number | undefined {
  if (/^(unlimited|infinite|none|n\/a)$/i.test(text)) return undefined;
  const [, days = "0", clock = ""] = /^(?:(\d+)-)?(\d+(?::\d{2}){0,2})$/.exec(text) ?? [];
  if (clock === "") throw new Error(`${JSON.stringify(text)} is no limit of time`);
  const parts = clock.split(":").map(Number);
  // With days the first is hours; without, one number is minutes and two are minutes and seconds.
  const [hours = 0, minutes = 0, seconds = 0] =
    days !== "0" || parts.length === 3 ? parts : [0, ...parts];
  return (((Number(days) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
}
