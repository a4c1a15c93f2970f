import assert from "node:assert/strict";
import { sameShape } from "../../tensor/shape.ts";
import type { CheckpointFiles } from "../files/index.ts";
import { ElementComparison } from "./compare-elements.ts";
import { compareValues } from "./compare-values.ts";
import type {
  DiffResult,
  ElementDifference,
  FormDifference,
  TensorDifference,
} from "./difference.ts";
import { type OpenedPath, openPath } from "./open-path.ts";
import { readInOrder, type StoredTensor } from "./stored-tensor.ts";
import { StreamDigest } from "./stream-digest.ts";
import { throwDamage } from "./tensor-problems.ts";

/**
 * How two paths differ, each a file, a checkpoint, a root (its last committed one) or a folder of
 * files. Tensors of two checkpoints whose digests are equal are equal, however they were laid out, and
 * are not read; all others are compared element by element, a bounded part at a time. What is read
 * from a checkpoint must have its digest.
 *
 * @throws E_CHECKPOINT_MISSING, E_SAFETENSORS, E_CHECKPOINT_CORRUPT
 */
export async function diffPaths(files: CheckpointFiles, a: string, b: string): Promise<DiffResult> {
  const [one, other] = [await openPath(files, a), await openPath(files, b)];
  const names = [...one.tensors.keys()].filter((name) => other.tensors.has(name)).toSorted();
  const forms: FormDifference[] = [];
  const tensors: TensorDifference[] = [];
  let [same, byDigest, readBytes] = [0, 0, 0];
  for (const name of names) {
    const [x, y] = [one.tensors.get(name), other.tensors.get(name)];
    if (x === undefined || y === undefined) continue;
    if (!sameForm(x, y)) {
      forms.push({ name, a: formOf(x), b: formOf(y) });
      continue;
    }
    if (x.digest !== undefined && x.digest === y.digest) {
      byDigest++;
      same++;
      continue;
    }
    const difference = await compare(x, y, { one, other });
    readBytes += 2 * bytesOf(x);
    if (difference === undefined) same++;
    else tensors.push({ name, difference });
  }
  const onlyIn = (here: OpenedPath, there: OpenedPath) =>
    [...here.tensors.keys()].filter((name) => !there.tensors.has(name)).toSorted();
  const [onlyInA, onlyInB] = [onlyIn(one, other), onlyIn(other, one)];
  const { values, leftOut } =
    one.manifest === undefined || other.manifest === undefined
      ? { values: [], leftOut: 0 }
      : compareValues(one.manifest.values, other.manifest.values);
  const found = [onlyInA, onlyInB, forms, tensors, values];
  const equal = found.every(({ length }) => length === 0);
  const rest = { onlyInA, onlyInB, forms, tensors, values, valuesLeftOut: leftOut };
  return { equal, same, ...rest, byDigest, readBytes };
}

async function compare(
  x: StoredTensor,
  y: StoredTensor,
  { one, other }: { readonly one: OpenedPath; readonly other: OpenedPath },
): Promise<ElementDifference | undefined> {
  const comparison = new ElementComparison(x);
  const digests = [new StreamDigest(x.dtype, x.shape), new StreamDigest(y.dtype, y.shape)] as const;
  const others = readInOrder(y, other.open);
  for await (const { bytes } of readInOrder(x, one.open)) {
    const { value } = await others.next();
    const theirs = value?.bytes ?? new Uint8Array(bytes.length);
    comparison.add(bytes, theirs);
    if (x.digest !== undefined) await digests[0].add(bytes);
    if (y.digest !== undefined) await digests[1].add(theirs);
  }
  await prove(x, one, digests[0]);
  await prove(y, other, digests[1]);
  return comparison.result();
}

/** What was read from a checkpoint is what was saved. */
async function prove(
  { name, digest }: StoredTensor,
  { open, manifest }: OpenedPath,
  read: StreamDigest,
): Promise<void> {
  if (digest === undefined || (await read.digest()) === digest) return;
  const tensor = manifest?.tensors.find((one) => one.name === name);
  assert(tensor !== undefined, "only tensors of checkpoints have a digest");
  await throwDamage(tensor, open);
}

function sameForm(x: StoredTensor, y: StoredTensor): boolean {
  return kindOf(x) === kindOf(y) && sameShape(x.declaredShape, y.declaredShape);
}

/** `bf16` of a checkpoint is `BF16` of a file. */
function kindOf({ ours, dtype }: StoredTensor): string {
  return ours ?? dtype;
}

function formOf(tensor: StoredTensor): string {
  return `${kindOf(tensor)}[${tensor.declaredShape.join(", ")}]`;
}

function bytesOf({ shape, elementBytes }: StoredTensor): number {
  return shape.reduce((size, length) => size * length, 1) * elementBytes;
}
