import { join } from "node:path";
import { type CheckpointFiles, type FolderEntry, readSmallFile } from "../files/index.ts";
import { parseStrictJson, StrictJsonError } from "../manifest/index.ts";
import { readHeader } from "../safetensors/index.ts";
import type { FileVerdict } from "./verdict.ts";
import { bad, badBy, good } from "./verdicts.ts";

/** A folder with what is in it; `shown` is how its files' paths begin in the result. */
export interface FolderToJudge {
  readonly files: CheckpointFiles;
  readonly folder: string;
  readonly shown: string;
  readonly entries: readonly FolderEntry[];
}

const indexSuffix = ".safetensors.index.json";
const indexBytesMax = 256 * 1024 * 1024;

/** Judges one safetensors file. */
export async function judgeFile(
  files: CheckpointFiles,
  { path, shown }: { readonly path: string; readonly shown: string },
): Promise<{ readonly verdict: FileVerdict; readonly tensors?: ReadonlySet<string> }> {
  try {
    const { entries } = await readHeader(files, path);
    return { verdict: good(shown), tensors: new Set(entries.map(({ name }) => name)) };
  } catch (error) {
    return { verdict: badBy(shown, error) };
  }
}

/** Judges the safetensors files of a folder that others wrote, and the indexes that name them. */
export async function judgeFolder(judging: FolderToJudge): Promise<readonly FileVerdict[]> {
  const { files, folder, shown, entries } = judging;
  const verdicts: FileVerdict[] = [];
  const tensorsOf = new Map<string, ReadonlySet<string> | undefined>();
  for (const { name, kind } of entries) {
    if (kind === "folder" || !name.endsWith(".safetensors")) continue;
    const path = join(folder, name);
    const { verdict, tensors } = await judgeFile(files, { path, shown: join(shown, name) });
    verdicts.push(verdict);
    tensorsOf.set(name, tensors);
  }
  for (const { name } of entries.filter(isIndex)) {
    verdicts.push(...(await judgeIndex(judging, name, tensorsOf)));
  }
  return verdicts;
}

/** An index names, for each tensor, the file that holds it. Files that are missing are judged too. */
async function judgeIndex(
  { files, folder, shown }: FolderToJudge,
  name: string,
  tensorsOf: ReadonlyMap<string, ReadonlySet<string> | undefined>,
): Promise<readonly FileVerdict[]> {
  const path = join(shown, name);
  let named: ReadonlyMap<string, string>;
  try {
    named = await readIndex(files, join(folder, name));
  } catch (error) {
    if (!(error instanceof StrictJsonError)) return [badBy(path, error)];
    return [bad(path, { rule: error.rule, problem: error.message })];
  }
  const missing = new Set<string>();
  let first: FileVerdict | undefined;
  for (const [tensor, file] of named) {
    const held = tensorsOf.get(file);
    if (!tensorsOf.has(file)) {
      missing.add(file);
      const problem = `it says that ${file} holds ${tensor}, and there is no such safetensors file`;
      first ??= bad(path, { rule: "index-file", problem, tensor });
    } else if (held !== undefined && !held.has(tensor)) {
      const problem = `it says that ${file} holds ${tensor}, which it does not`;
      first ??= bad(path, { rule: "index-tensor", problem, tensor });
    }
  }
  const problem = `it is not there, and ${name} names it`;
  const gone = [...missing]
    .filter(isPlainName)
    .map((file) => bad(join(shown, file), { rule: "file-missing", problem }));
  return [first ?? good(path), ...gone];
}

/**
 * The file of each tensor, as `model.safetensors.index.json` says.
 *
 * @throws StrictJsonError, and the file system's own errors
 */
export async function readIndex(
  files: CheckpointFiles,
  path: string,
): Promise<ReadonlyMap<string, string>> {
  const bytes = await readSmallFile(files, path, { bytesMax: indexBytesMax });
  const json = parseStrictJson(bytes);
  const map = isRecord(json) ? json["weight_map"] : undefined;
  if (!isRecord(map)) throw new StrictJsonError("index", "it has no record weight_map");
  return new Map(
    Object.entries(map).map(([tensor, file]) => {
      if (typeof file === "string" && isPlainName(file)) return [tensor, file];
      const problem = `the file of ${tensor} is no plain name of a file in this folder`;
      throw new StrictJsonError("index-path", problem);
    }),
  );
}

export function isIndex({ name, kind }: FolderEntry): boolean {
  return kind !== "folder" && name.endsWith(indexSuffix);
}

function isPlainName(file: string): boolean {
  return file !== "" && file !== "." && file !== ".." && !/[/\\\0]/.test(file);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
