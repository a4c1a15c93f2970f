import { join } from "node:path";
import type { CheckpointFiles } from "../files/index.ts";
import { listRoot, type Surveyed } from "./survey.ts";
import { leftoverMs, tempPrefix } from "./temp-name.ts";

/** Removes what saves that were killed have left, when it is so old that none can still be at work. */
export async function sweepTemps(
  files: CheckpointFiles,
  { root, nowMs }: { readonly root: string; readonly nowMs: number },
): Promise<void> {
  for (const { name, kind, modifiedMs } of await listRoot(files, root)) {
    if (kind !== "folder" || !name.startsWith(tempPrefix)) continue;
    if (nowMs - modifiedMs >= leftoverMs) await files.remove(join(root, name));
  }
}

/** What a newer save of the same tag makes superfluous, and saves that died before their COMMIT. */
export function superseded(
  all: readonly Surveyed[],
  saved: { readonly tag: string; readonly generation: number; readonly nowMs: number },
): readonly string[] {
  const { tag, generation, nowMs } = saved;
  const parents = new Set(
    all.flatMap(({ status, parent }) => (status === "uncommitted" ? (parent ?? []) : [])),
  );
  return all.flatMap((one) => {
    const isLeft = one.status === "uncommitted" && nowMs - one.modifiedMs >= leftoverMs;
    const isOlder = one.tag === tag && one.generation < generation;
    const isCommitted = one.status === "good" || one.status === "damaged";
    return isLeft || (isOlder && isCommitted && !parents.has(one.name)) ? [one.name] : [];
  });
}
