import { createHash } from "node:crypto";
import { isTempName, tempPathFor } from "../../platform/files/temp-files.ts";
import type { ProcessIdentity } from "../../platform/process/process-identity.ts";

const markPattern = /\.([0-9a-f]{12})-(\d{1,10})-(\d{0,20})\.[0-9a-f]{24}\.tessera-tmp$/;

/**
 * A temporary name beside `path` that says who writes: what a writer that was killed has left is known
 * for it at once, whatever the file holds.
 */
export function ledgerTempPath(path: string, self: ProcessIdentity): string {
  return tempPathFor(`${path}.${homeMark(self.home)}-${self.pid}-${self.startTicks ?? ""}`);
}

/** Who writes the file of such a name; undefined for other names, and for writers of other machines and containers. */
export function tempWriterOf(name: string, self: ProcessIdentity): ProcessIdentity | undefined {
  const [, home, pid, ticks] = (isTempName(name) ? markPattern.exec(name) : null) ?? [];
  if (home === undefined || home !== homeMark(self.home) || Number(pid) === 0) return undefined;
  return { pid: Number(pid), startTicks: ticks === "" ? null : (ticks ?? null), home: self.home };
}

function homeMark(home: string | null): string {
  return createHash("sha256")
    .update(home ?? "")
    .digest("hex")
    .slice(0, 12);
}
