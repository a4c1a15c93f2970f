import { CudaTensor } from "../../cuda/tensor/index.ts";
import type { Block } from "../../dist/array/block.ts";
import { DistTensor } from "../../dist/array/index.ts";
import { currentHealth } from "../../dist/health/index.ts";
import { dtypeInfo, rawOver } from "../../tensor/dtype/index.ts";
import { digestOf, Tensor } from "../../tensor/index.ts";
import { type AnyTensor, type Comparable, isTensor, placesOf } from "../equality/comparable.ts";

/**
 * A text for every place, which is the same exactly when all its bits are: what can be kept of a result
 * that may be overwritten later.
 */
export function fingerprintOf(value: Comparable): ReadonlyMap<string, string> {
  const prints = new Map<string, string>();
  for (const [path, place] of placesOf(value)) {
    prints.set(path, place.kind === "leaf" ? printOf(place.value) : place.kind);
  }
  return prints;
}

/** The places whose bits differ. */
export function changedPlaces(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path));
}

/**
 * The same value in storage of its own, so that it can be shown after what made it was overwritten.
 * What lies on a mesh is left there: its blocks do not change.
 */
export function snapshotOf(value: Comparable): Comparable {
  if (value instanceof CudaTensor) return value.dtype === "i8" ? value : value.toHost();
  if (value instanceof Tensor) return copyOf(value);
  if (value instanceof DistTensor || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(snapshotOf);
  const entries = Object.entries(value) as readonly (readonly [string, Comparable])[];
  return Object.fromEntries(entries.map(([name, child]) => [name, snapshotOf(child)]));
}

function copyOf(x: Tensor): Tensor {
  return Tensor.over(x.toRaw().slice(), { dtype: x.dtype, shape: x.shape });
}

function printOf(value: unknown): string {
  if (isTensor(value)) return tensorPrint(value);
  if (Object.is(value, -0)) return "number -0";
  return `${typeof value} ${String(value)}`;
}

function tensorPrint(x: AnyTensor): string {
  if (!(x instanceof DistTensor)) return `${x.dtype} ${x.digest()}`;
  const health = currentHealth();
  const known = new Map<Block, string>();
  const held = x.mesh.devices.map((device, rank) => {
    if (health.isDead(device)) return "lost";
    const block = x.block(rank);
    const digest = known.get(block) ?? freshDigest(block);
    known.set(block, digest);
    return digest;
  });
  return `${x.dtype} [${x.shape.join(", ")}] ${x.layout.describe()} ${held.join(" ")}`;
}

/** Reads the block again: a digest that was kept would not see what somebody did to its storage. */
function freshDigest(block: Block): string {
  const { dtype, shape } = block;
  const { bytes } = dtypeInfo(dtype);
  return digestOf({
    dtype,
    shape,
    read: (start, count, { buffer, byteOffset, length }) => {
      const out = rawOver(dtype, { buffer, byteOffset, count: length / bytes });
      block.read(out, { start, count, outStart: 0 });
    },
  });
}
