import { formatDurationMs } from "../../platform/units/index.ts";
import type { InjectionRecord } from "../record/index.ts";

/** A time for people. */
export function timeText(us: number): string {
  return formatDurationMs(Math.max(0, us) / 1000);
}

/** `1 step`, `3 steps`. */
export function counted(count: number, thing: string): string {
  return `${count.toLocaleString("en")} ${thing}${count === 1 ? "" : "s"}`;
}

const shownMax = 3;

/** `a`, `a and b`, `a, b and c`, and of many the first few and how many more there are. */
export function listed(words: readonly string[]): string {
  if (words.length > shownMax + 1) {
    return `${words.slice(0, shownMax).join(", ")} and ${words.length - shownMax} more`;
  }
  if (words.length < 2) return words[0] ?? "nothing";
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** `kill_device on rank 1`. */
export function faultText({ fault, target }: Pick<InjectionRecord, "fault" | "target">): string {
  return `${fault} on ${target}`;
}

/** The beginning of a digest: enough to tell two apart. */
export function shortDigest(digest: string): string {
  const hex = digest.replace(/^sha256:/, "");
  return hex.length > 12 ? `${hex.slice(0, 12)}…` : hex;
}

/** Without its last full stop, to stand within another sentence. */
export function asClause(sentence: string): string {
  return sentence.trim().replace(/[.\s]+$/, "");
}
