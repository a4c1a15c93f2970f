import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { ownIdentity } from "../../platform/process/process-identity.ts";

let made = 0;

/** Part of marks and names in a cluster: short, small letters, and of no other runner anywhere. */
export async function freshRunName(letter: string): Promise<string> {
  const { pid, startTicks, home } = await ownIdentity();
  return `${letter}-${shortHash(`${home ?? hostname()} ${pid} ${startTicks ?? 0} ${++made}`)}`;
}

export function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
