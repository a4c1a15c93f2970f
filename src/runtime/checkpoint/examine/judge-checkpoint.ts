import { basename, join } from "node:path";
import { readSmallFile } from "../files/index.ts";
import { folderProblems } from "../load/check-folder.ts";
import { checkHeader, chunksByFile } from "../load/check-header.ts";
import { readManifest } from "../load/read-manifest.ts";
import {
  commitFileName,
  type Manifest,
  manifestFileName,
  parseManifest,
} from "../manifest/index.ts";
import { OpenFiles } from "../reshard/index.ts";
import { type FolderToJudge, judgeFile } from "./judge-folder.ts";
import { tensorProblems } from "./tensor-problems.ts";
import type { FileVerdict } from "./verdict.ts";
import { bad, badBy, good } from "./verdicts.ts";

/**
 * Judges every file of a checkpoint: COMMIT, manifest, shards with every piece and every tensor's
 * digest, and files that do not belong there. Where COMMIT is missing or bad, the manifest is taken at
 * its word; where the manifest is, shards are judged as plain safetensors files.
 */
export async function judgeCheckpoint(judging: FolderToJudge): Promise<readonly FileVerdict[]> {
  const { files, folder, shown, entries } = judging;
  const { status, manifest, problem } = await readManifest(files, folder);
  if (status === "committed" && manifest !== undefined) {
    return judgeShards(judging, manifest);
  }
  const at = (file: string) => join(shown, file);
  const culprit = textOr(problem?.details["file"], commitFileName);
  if (culprit === commitFileName && manifest !== undefined) {
    const judged = await judgeShards(judging, manifest);
    return [badBy(at(culprit), problem), ...judged.filter(({ path }) => path !== at(culprit))];
  }
  const verdicts = new Map<string, FileVerdict>();
  verdicts.set(culprit, badBy(at(culprit), problem));
  if (culprit === manifestFileName) verdicts.set(commitFileName, good(at(commitFileName)));
  else verdicts.set(manifestFileName, await judgeManifest(judging));
  for (const { name } of entries) {
    if (verdicts.has(name)) continue;
    if (name.endsWith(".safetensors")) {
      const path = join(folder, name);
      verdicts.set(name, (await judgeFile(files, { path, shown: at(name) })).verdict);
    } else {
      const why = "it is no part of a checkpoint";
      verdicts.set(name, bad(at(name), { rule: "stale-file", problem: why }));
    }
  }
  return [...verdicts.values()];
}

/** A manifest without a COMMIT to compare it with. */
async function judgeManifest({ files, folder, shown }: FolderToJudge): Promise<FileVerdict> {
  const path = join(shown, manifestFileName);
  try {
    const bytesMax = 512 * 1024 * 1024;
    const bytes = await readSmallFile(files, join(folder, manifestFileName), { bytesMax });
    parseManifest(bytes, { checkpoint: basename(folder) });
    return good(path);
  } catch (error) {
    return badBy(path, error);
  }
}

/**
 * Judges shards by a manifest that is known to be good: their names, sizes and headers, the hash of
 * every piece and the digest of every tensor. Every byte is read once.
 */
export async function judgeShards(
  { files, folder, shown }: Omit<FolderToJudge, "entries">,
  manifest: Manifest,
): Promise<readonly FileVerdict[]> {
  const name = basename(folder);
  const verdicts = new Map<string, FileVerdict>();
  // The first thing that is wrong with a file is the one that is told.
  const refuse = (file: string, verdict: FileVerdict) => {
    if (!verdicts.has(file)) verdicts.set(file, verdict);
  };
  for (const { file, ...about } of await folderProblems(files, { name, folder }, manifest)) {
    refuse(file, bad(join(shown, file), about));
  }
  const open = new OpenFiles({ files, folder, checkpoint: name });
  const chunks = chunksByFile(manifest);
  for (const file of manifest.files) {
    if (verdicts.has(file.name)) continue;
    try {
      await checkHeader(open, file, chunks.get(file.name) ?? new Map());
    } catch (error) {
      refuse(file.name, badBy(join(shown, file.name), error));
    }
  }
  for (const { file, error } of await tensorProblems(manifest, { open, unread: verdicts })) {
    refuse(file, badBy(join(shown, file), error));
  }
  for (const file of [commitFileName, manifestFileName, ...manifest.files.map((one) => one.name)]) {
    refuse(file, good(join(shown, file)));
  }
  return [...verdicts.values()];
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}
