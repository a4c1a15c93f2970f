import { readdirSync, readlinkSync } from "node:fs";

/** Processes that work in a folder or below. */
export function processesIn(folder: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
      } catch {
        return false; // It ended while we looked, or is another user's.
      }
    })
    .map(Number);
}
