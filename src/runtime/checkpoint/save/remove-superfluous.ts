import type { Clock } from "../../../platform/time/clock.ts";
import type { CheckpointFiles } from "../files/index.ts";
import type { Retention } from "../options.ts";
import { chooseKept } from "./choose-kept.ts";
import type { Claimed } from "./publish.ts";
import { retire } from "./retire.ts";
import { survey } from "./survey.ts";
import { superseded } from "./sweep.ts";

/**
 * Removes what a committed save makes superfluous. The checkpoint is there by now, so that nothing that
 * goes wrong here makes the save fail: what is left is left for the next one.
 *
 * @returns the names of those removed
 */
export async function removeSuperfluous(about: {
  readonly files: CheckpointFiles;
  readonly root: string;
  readonly tag: string;
  readonly clock: Clock;
  readonly saved: Pick<Claimed, "name" | "generation">;
  readonly retention: Retention | undefined;
  readonly unique: () => string;
}): Promise<readonly string[]> {
  const { files, root, tag, clock, saved, retention, unique } = about;
  const nowMs = clock.nowMs();
  const removed: string[] = [];
  try {
    const all = await survey(files, root, retention === undefined ? { tag } : {});
    const { generation, name } = saved;
    const older = superseded(all, { tag, generation, nowMs });
    const rest = all.filter((one) => !older.includes(one.name));
    const more =
      retention === undefined
        ? []
        : chooseKept(rest, { ...retention, nowMs, justSaved: name }).remove;
    for (const gone of [...older, ...more]) {
      await retire(files, { root, name: gone, unique: unique() });
      removed.push(gone);
    }
  } catch {
    return removed;
  }
  return removed;
}
