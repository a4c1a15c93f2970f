import { TesseraError } from "../../../platform/errors/index.ts";
import { errorCodeOf } from "../../../platform/files/file-problem.ts";
import type { CheckpointFiles } from "../files/index.ts";
import type { LoadedCheckpoint, LoadOptions, RefusedCheckpoint } from "../options.ts";
import type { State } from "../state.ts";
import { candidates, type Search } from "./candidates.ts";
import { checkFolder } from "./check-folder.ts";
import { committedManifest, isCorrupt } from "./read-manifest.ts";
import { readState } from "./read-state.ts";
import { placeOf, type ScannedCheckpoint } from "./scan.ts";

/** A save may remove what was found; then it has also committed something newer to look for. */
const looksMax = 3;

/**
 * Loads a checkpoint and says what was loaded: its name, what was refused before it, what was read.
 * Every byte is verified before it is used. Tensors that lay on a mesh come back on `remapTo`, or on a
 * mesh like theirs; all others in the memory of this machine, those that were on a GPU too. What `only`
 * leaves out is missing from its record, and null in a list.
 *
 * @param tag @default the last committed one, which after going back is not the one with the highest
 *   step; `notes` says so then
 * @throws E_CHECKPOINT_MISSING; E_CHECKPOINT_CORRUPT when nothing older is good, or `onDamage` is
 *   "throw"; E_CHECKPOINT_LAYOUT
 */
export async function restore<S extends State = State>(
  tag?: string,
  options: LoadOptions = {},
): Promise<LoadedCheckpoint<S>> {
  const { files, root } = placeOf(options);
  checkRank(options);
  for (let look = 1; ; look++) {
    const tried = await firstGood<S>({ files, root, tag }, options);
    if ("state" in tried) return tried;
    if (look >= looksMax || !tried.hasVanished) throw tried.error;
  }
}

interface NoneGood {
  readonly error: TesseraError;
  /** True when a folder that was found is not there any more. */
  readonly hasVanished: boolean;
}

async function firstGood<S extends State>(
  search: Search,
  options: LoadOptions,
): Promise<LoadedCheckpoint<S> | NoneGood> {
  const errors: TesseraError[] = [];
  const refused: RefusedCheckpoint[] = [];
  let hasVanished = false;
  const { files } = search;
  for await (const candidate of candidates(search)) {
    options.signal?.throwIfAborted();
    const { name } = candidate;
    try {
      const { state, manifest, ...rest } = await loadOne(files, candidate, options);
      const { tag, step } = manifest;
      const notes = candidate.note === undefined ? rest.notes : [candidate.note, ...rest.notes];
      return { ...rest, state: state as S, tag, name, step, refused, notes };
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      errors.push(error);
      refused.push(refusalOf(name, error));
      hasVanished ||= await isGone(files, candidate.folder);
      if (options.onDamage === "throw" || hasVanished) break;
    }
  }
  return { error: summedUp(errors, refused), hasVanished };
}

async function loadOne(files: CheckpointFiles, candidate: ScannedCheckpoint, options: LoadOptions) {
  if (candidate.problem !== undefined) throw candidate.problem;
  const { name, folder } = candidate;
  const manifest = candidate.manifest ?? (await committedManifest(files, folder));
  await checkFolder(files, { name, folder }, manifest);
  return { manifest, ...(await readState({ name, folder, files, manifest, options })) };
}

async function isGone(files: CheckpointFiles, folder: string): Promise<boolean> {
  try {
    await files.list(folder);
    return false;
  } catch (error) {
    return errorCodeOf(error) === "ENOENT";
  }
}

function refusalOf(name: string, { details }: TesseraError): RefusedCheckpoint {
  const [problem, file, rule] = [details["problem"], details["file"], details["rule"]];
  return { name, problem: String(problem), file: String(file), rule: String(rule) };
}

function summedUp(
  errors: readonly TesseraError[],
  refused: readonly RefusedCheckpoint[],
): TesseraError {
  const [first] = errors;
  if (first === undefined) throw new Error("there is a candidate");
  if (errors.length === 1) return first;
  const [one, ...others] = refused;
  const also = others.map(({ name, file, problem }) => `${name} (${file}: ${problem})`).join("; ");
  const details = {
    ...first.details,
    checkpoint: one?.name ?? "",
    file: one?.file ?? "",
    rule: one?.rule ?? "",
    problem: `${one?.problem ?? ""}; and those that could stand in for it are damaged too: ${also}`,
    refused,
  };
  return new TesseraError("E_CHECKPOINT_CORRUPT", details, { cause: first });
}

function checkRank({ rank, remapTo }: LoadOptions): void {
  if (rank === undefined) return;
  const isRank = Number.isSafeInteger(rank) && rank >= 0;
  if (isRank && rank < (remapTo?.size ?? Number.POSITIVE_INFINITY)) return;
  const problem = `rank ${rank} is none of the mesh${remapTo === undefined ? "" : ` of ${remapTo.size} devices`}`;
  throw new TesseraError("E_CHECKPOINT_LAYOUT", { checkpoint: "to load", problem });
}
