import { join } from "node:path";
import { isTesseraError } from "../../../platform/errors/index.ts";
import {
  type LoadOptions,
  list,
  type Manifest,
  restore,
  type State,
} from "../../../runtime/checkpoint/index.ts";
import { committedManifest } from "../../../runtime/checkpoint/load/read-manifest.ts";
import { placeOf } from "../../../runtime/checkpoint/load/scan.ts";
import {
  bitsIn,
  copyRange,
  planRead,
  wholeBox,
} from "../../../runtime/checkpoint/reshard/index.ts";
import { flattenState, rebuildState } from "../../../runtime/checkpoint/values/index.ts";
import {
  allocateRaw,
  bitsOf,
  dtypeInfo,
  type RawArray,
} from "../../../runtime/tensor/dtype/index.ts";
import { Tensor } from "../../../runtime/tensor/index.ts";

/**
 * The planted defect of a reader that refuses nothing: of a checkpoint that is not whole it takes what
 * bytes there are, unverified, and the rest is what an older one holds. One that is whole is loaded as ever.
 */
export async function restoreCarelessly(
  tag: string,
  options: LoadOptions & { readonly root: string },
): Promise<State> {
  try {
    return (await restore(tag, { ...options, onDamage: "throw" })).state;
  } catch (error) {
    if (!isTesseraError(error) || error.code !== "E_CHECKPOINT_CORRUPT") throw error;
    return await whatIsThere(tag, options);
  }
}

async function whatIsThere(
  tag: string,
  options: LoadOptions & { readonly root: string },
): Promise<State> {
  const { files, root } = placeOf(options);
  const committed = (await list(options)).filter(({ status }) => status === "committed");
  const at = committed.findIndex((one) => one.tag === tag);
  const folder = join(root, committed[at]?.name ?? tag);
  const manifest = await committedManifest(files, folder);
  const older = await stateOf(committed[at + 1]?.name, options);
  const storage = manifest.tensors.map((tensor) => storageFor(tensor, older));
  const wanted = manifest.tensors.map((tensor) => ({ tensor, boxes: [wholeBox(tensor.shape)] }));
  for (const { file, pieces } of planRead(wanted).groups) {
    const reader = await files.open(join(folder, file));
    try {
      for (const { wanted: index, offset, piece, copies, firstElement } of pieces) {
        const bytes = new Uint8Array(piece.bytes);
        if ((await reader.read(bytes, offset)) < bytes.length) continue;
        const elementBytes = dtypeInfo((wanted[index] as Wanted).tensor.dtype).bytes;
        const from = bitsIn(bytes, elementBytes);
        const to = bitsOf(storage[index] as RawArray);
        const how = {
          from,
          fromFirst: firstElement,
          to,
          width: elementBytes === 8 ? 2 : 1,
        } as const;
        for (const { copy, start, end } of copies) copyRange(copy, { ...how, start, end });
      }
    } finally {
      await reader.close();
    }
  }
  const tensors = new Map(
    manifest.tensors.map(({ name, dtype, shape }, index) => [
      name,
      Tensor.over(storage[index] as RawArray, { dtype, shape }),
    ]),
  );
  return rebuildState(manifest.values, (name) => tensors.get(name)) as State;
}

type Wanted = { readonly tensor: Manifest["tensors"][number] };

/** Nothing: there is none, or that is damaged, too. */
async function stateOf(
  name: string | undefined,
  options: LoadOptions,
): Promise<ReadonlyMap<string, unknown>> {
  if (name === undefined) return new Map();
  try {
    const { state } = await restore(name, { ...options, onDamage: "throw" });
    return flattenState(state).tensors;
  } catch (error) {
    if (!isTesseraError(error) || error.code !== "E_CHECKPOINT_CORRUPT") throw error;
    return new Map();
  }
}

/** What lay there before; where nothing did, zeros. */
function storageFor(
  { name, dtype, shape }: Manifest["tensors"][number],
  older: ReadonlyMap<string, unknown>,
): RawArray {
  const known = older.get(name);
  const size = shape.reduce((product, count) => product * count, 1);
  const isSame = known instanceof Tensor && known.dtype === dtype && known.size === size;
  return isSame ? known.toRaw().slice() : allocateRaw(dtype, size);
}
