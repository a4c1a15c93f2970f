import {
  corrupt,
  type Manifest,
  type ManifestTensor,
  manifestFileName,
} from "../manifest/index.ts";
import { inBounds, type OpenFiles, PieceHashes, wrongPiece } from "../reshard/index.ts";
import { readInOrder, storedTensor } from "./stored-tensor.ts";
import { StreamDigest } from "./stream-digest.ts";

/** What is wrong with the data of a file. */
export interface DataProblem {
  readonly file: string;
  readonly error: unknown;
}

export interface DataToJudge {
  readonly open: OpenFiles;
  /** Files that are bad already, by name: they are not read. */
  readonly unread: ReadonlyMap<string, unknown>;
}

/** Tensors and bytes of them that are judged at the same time: small ones must not wait for each other. */
const tensorsAtOnce = 8;
const bytesAtOnce = 32 * 1024 * 1024;

/** Judges all tensors of a manifest; the problems come in the order of the manifest. */
export async function tensorProblems(
  { tensors }: Manifest,
  judging: DataToJudge,
): Promise<readonly DataProblem[]> {
  const problems: (readonly DataProblem[])[] = [];
  await inBounds(
    tensors.entries(),
    async ([at, tensor]) => {
      problems[at] = await problemsOf(tensor, judging);
    },
    { bytesOf: ([, tensor]) => bytesOf(tensor), bytesMax: bytesAtOnce, itemsMax: tensorsAtOnce },
  );
  return problems.flat();
}

/**
 * Says which file is to blame for a tensor that came out with another digest than its manifest has.
 *
 * @throws E_CHECKPOINT_CORRUPT
 */
export async function throwDamage(tensor: ManifestTensor, open: OpenFiles): Promise<never> {
  for (const { error } of await problemsOf(tensor, { open, unread: new Map() })) throw error;
  const { name } = tensor;
  const problem = `the tensor ${name} came out with another digest, and now it does not: somebody writes to its files, or this machine's memory fails`;
  throw corrupt(open.where(manifestFileName), "tensor-digest", problem, { tensor: name });
}

/** Takes the hashes of a tensor's pieces and its digest from the same bytes. */
async function problemsOf(
  tensor: ManifestTensor,
  { open, unread }: DataToJudge,
): Promise<readonly DataProblem[]> {
  const problems: DataProblem[] = [];
  const chunks = tensor.chunks.filter(({ file }) => !unread.has(file));
  const hashes = chunks.map(({ pieces }) => new PieceHashes(pieces.map(({ bytes }) => bytes)));
  const digest = new StreamDigest(tensor.dtype, tensor.shape);
  const cannotRead = new Set<number>();
  const bands = readInOrder({ ...storedTensor(tensor), chunks }, open, {
    onRun: async (chunk, bytes) => hashes[chunk]?.add(bytes),
    onBad: (chunk, error) => {
      cannotRead.add(chunk);
      problems.push({ file: chunks[chunk]?.file ?? manifestFileName, error });
    },
  });
  const isWhole = () => chunks.length === tensor.chunks.length && cannotRead.size === 0;
  for await (const { bytes } of bands) if (isWhole()) await digest.add(bytes);
  for (const [at, chunk] of chunks.entries()) {
    if (cannotRead.has(at)) continue;
    const taken = hashes[at]?.all() ?? [];
    let { offset } = chunk;
    for (const [number, { bytes, sha256 }] of chunk.pieces.entries()) {
      const about = { offset, bytes, tensor: tensor.name };
      offset += bytes;
      if (taken[number] === sha256) continue;
      problems.push({ file: chunk.file, error: wrongPiece(open.where(chunk.file), about) });
    }
  }
  if (problems.length > 0 || !isWhole()) return problems;
  const found = await digest.digest();
  if (found === tensor.digest) return [];
  const { name } = tensor;
  const problem = `its chunks make a tensor ${name} with the digest ${found}, and it says ${tensor.digest}`;
  const where = open.where(manifestFileName);
  return [
    {
      file: manifestFileName,
      error: corrupt(where, "tensor-digest", problem, { tensor: name }),
    },
  ];
}

function bytesOf({ chunks }: ManifestTensor): number {
  return chunks.reduce((sum, { bytes }) => sum + bytes, 0);
}
