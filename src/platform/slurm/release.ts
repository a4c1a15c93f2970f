import type { SlurmRelease } from "./words.ts";

/** Reads `slurm 22.05.8` or `slurm-wlm 23.11.4`; undefined when that is not what it says. */
export function parseRelease(text: string): SlurmRelease | undefined {
  const [, found, major, minor] = /^slurm\S*\s+((\d{2})\.(\d{2})\S*)\s*$/im.exec(text) ?? [];
  if (found === undefined) return undefined;
  return { text: found, major: Number(major), minor: Number(minor) };
}
