import { TesseraError } from "../../../platform/errors/index.ts";
import type { CheckpointFiles } from "../files/index.ts";
import { parseCheckpointName } from "../manifest/index.ts";
import { isOlder, stepBackNote } from "./order.ts";
import { type ScannedCheckpoint, scan } from "./scan.ts";

/** Which checkpoints are looked for, and where. */
export interface Search {
  readonly files: CheckpointFiles;
  readonly root: string;
  /** A tag, or the name of a folder (`step100~2`): that save of the tag, and no other. */
  readonly tag: string | undefined;
}

/** A checkpoint to try. */
export interface Candidate extends ScannedCheckpoint {
  /** What whoever loads it has to know about its place among the others. */
  readonly note?: string;
}

/**
 * The checkpoints to try, best first: the saves of the tag from the last one down, then what was
 * committed before; without a tag all of them, the last commit first. Folders without COMMIT are none, so that a
 * tag whose only save never finished is not there. What is older is looked for only when it is asked for.
 *
 * @throws E_CHECKPOINT_MISSING
 */
export async function* candidates(search: Search): AsyncGenerator<Candidate> {
  const { files, root, tag } = search;
  if (tag === undefined) {
    const found = await scan(files, root);
    const committed = found.filter(isCommitted);
    if (committed.length === 0) {
      throw missing(search, found.length === 0 ? "none is there" : "no save was ever finished");
    }
    for (const [at, one] of committed.entries()) {
      const note = stepBackNote(one, committed.slice(at + 1));
      yield note === undefined ? one : { ...one, note };
    }
    return;
  }
  const isWanted = (name: string) =>
    tag.includes("~") ? name === tag : parseCheckpointName(name)?.tag === tag;
  const found = await scan(files, root, { isAsked: isWanted, keepManifests: true });
  const wanted = found
    .filter(isCommitted)
    .toSorted((one, other) => other.summary.generation - one.summary.generation);
  const [first] = wanted;
  if (first === undefined) {
    if (found.length > 0) throw missing(search, "its save was never finished, it has no COMMIT");
    throw missing(search, `there is ${namesOf((await scan(files, root)).filter(isCommitted))}`);
  }
  yield* wanted;
  const others = await scan(files, root, { isAsked: (name) => !isWanted(name) });
  yield* others.filter((one) => isCommitted(one) && isOlder(one, first));
}

function isCommitted({ summary }: ScannedCheckpoint): boolean {
  return summary.status !== "uncommitted";
}

function missing({ tag, root }: Search, problem: string): TesseraError {
  const where = tag === undefined ? `in ${root}` : `\`${tag}\` in ${root}`;
  return new TesseraError("E_CHECKPOINT_MISSING", { where, problem });
}

/** Names that are shown where the wanted one is not there. */
const shownMax = 5;

function namesOf(found: readonly ScannedCheckpoint[]): string {
  if (found.length === 0) return "none at all";
  const names = found.slice(0, shownMax).map(({ summary }) => summary.name);
  const more = found.length > shownMax ? ` and ${found.length - shownMax} more` : "";
  return `${names.join(", ")}${more}`;
}
