import { join } from "node:path";
import type { CheckpointFiles, FolderEntry } from "../files/index.ts";
import { followingLinks } from "./follow-links.ts";
import { judgeCheckpoint } from "./judge-checkpoint.ts";
import { judgeFile, judgeFolder } from "./judge-folder.ts";
import { isCheckpoint, lookAt } from "./look-at.ts";
import type { FileVerdict, VerifyResult } from "./verdict.ts";
import { bad, badBy } from "./verdicts.ts";

/** Folders in folders; those that lie deeper are not judged, and that is said. */
const depthMax = 8;

/**
 * Judges every file at a path: one safetensors file, one checkpoint, a root of checkpoints, or a
 * folder that others wrote, with the folders in it. Of our checkpoints every hash and every tensor's
 * digest is taken. What a save left unfinished in `.tmp-` folders is never read, here neither.
 *
 * @throws E_CHECKPOINT_MISSING when there is nothing at the path.
 */
export async function verifyPath(files: CheckpointFiles, path: string): Promise<VerifyResult> {
  const looked = await lookAt(files, path);
  const verdicts: FileVerdict[] = [];
  if (looked.kind === "file") {
    const file = { path: looked.path, shown: path };
    verdicts.push((await judgeFile(followingLinks(files), file)).verdict);
  } else {
    const { entries } = looked;
    await judge({ files, verdicts }, { folder: looked.path, shown: path, entries, depth: 0 });
  }
  if (verdicts.length === 0) {
    const problem = "there is no checkpoint and no safetensors file in it";
    verdicts.push(bad(path, { rule: "nothing-there", problem }));
  }
  verdicts.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { ok: verdicts.every(({ ok }) => ok), files: verdicts };
}

interface Judging {
  readonly files: CheckpointFiles;
  readonly verdicts: FileVerdict[];
}

interface FolderAt {
  readonly folder: string;
  readonly shown: string;
  readonly entries: readonly FolderEntry[];
  readonly depth: number;
}

async function judge(judging: Judging, at: FolderAt): Promise<void> {
  const { files, verdicts } = judging;
  const { folder, shown, entries, depth } = at;
  if (isCheckpoint(entries)) {
    verdicts.push(...(await judgeCheckpoint({ files, folder, shown, entries })));
    return;
  }
  const others = followingLinks(files);
  verdicts.push(...(await judgeFolder({ files: others, folder, shown, entries })));
  for (const { name, kind } of entries) {
    if (kind !== "folder" || name.startsWith(".tmp-")) continue;
    const below = { folder: join(folder, name), shown: join(shown, name), depth: depth + 1 };
    if (below.depth > depthMax) {
      const problem = `it lies deeper than ${depthMax} folders, and was not judged`;
      verdicts.push(bad(below.shown, { rule: "depth", problem }));
      continue;
    }
    let inside: readonly FolderEntry[];
    try {
      inside = await files.list(below.folder);
    } catch (error) {
      verdicts.push(badBy(below.shown, error));
      continue;
    }
    await judge(judging, { ...below, entries: inside });
  }
}
