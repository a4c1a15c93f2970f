import { allocateRaw, bytesOf, type DType, dtypeInfo } from "../../tensor/dtype/index.ts";
import type { Corrupt, Health } from "../health/index.ts";
import type { DeviceId } from "../mesh/index.ts";
import type { Block } from "./block.ts";
import { flipOf, PatchedBlock } from "./patched-block.ts";

export interface Corruption {
  readonly health: Health;
  readonly op: string;
  readonly device: DeviceId;
  /** Computations have only outputs, so that every wrong bit of the device is one there. */
  readonly where: "contribution" | "output" | "anywhere";
  /** Beside what the health says: what happens to this operation alone. */
  readonly more?: readonly Corrupt[];
}

/** A block as a device hands it on: with the bits turned over that its health says, in silence. */
export function corrupted(block: Block, corruption: Corruption): Block {
  const { health, op, device, where, more = [] } = corruption;
  if (health.empty) return block;
  const all = [...health.corruptions(device, op), ...more.filter((one) => one.device === device)]
    .filter((one) => where === "anywhere" || (one.where ?? "contribution") === where)
    .filter((one) => reaches(one, block));
  if (all.length === 0) return block;
  for (const corrupt of all) {
    const text = `${describe(corrupt)} of device ${device} is wrong`;
    health.note({ kind: "this", breakage: corrupt }, { op, what: "corrupted", text });
  }
  return new PatchedBlock(
    block,
    all.flatMap((one) => patchesOf(one, block)),
  );
}

/** Whether a block has the element, and its dtype the bit. */
export function reaches(
  { element, bit }: Corrupt,
  { dtype, size }: Pick<Block, "dtype" | "size">,
): boolean {
  if (element >= size) return false;
  return bit === "nan" ? nanBytes[dtype] !== undefined : bit < 8 * dtypeInfo(dtype).bytes;
}

/** The bytes of a quiet NaN, lowest first; dtypes of whole numbers have none. */
export const nanBytes: Readonly<Partial<Record<DType, readonly number[]>>> = {
  f64: [0, 0, 0, 0, 0, 0, 0xf8, 0x7f],
  f32: [0, 0, 0xc0, 0x7f],
  f16: [0, 0x7e],
  bf16: [0xc0, 0x7f],
  e4m3: [0x7f],
  e5m2: [0x7f],
};

function patchesOf({ element: index, bit }: Corrupt, block: Block) {
  if (bit !== "nan") return [flipOf({ index, bit })];
  // Patches turn bits over: those in which the element differs from a NaN.
  const raw = allocateRaw(block.dtype, 1);
  block.read(raw, { start: index, count: 1, outStart: 0 });
  const wanted = nanBytes[block.dtype] ?? [];
  const differing = bytesOf(raw);
  return wanted.flatMap((byte, at) => {
    const turned = byte ^ (differing[at] ?? 0);
    return [0, 1, 2, 3, 4, 5, 6, 7]
      .filter((one) => ((turned >> one) & 1) === 1)
      .map((one) => flipOf({ index, bit: 8 * at + one }));
  });
}

function describe({ element, bit }: Corrupt): string {
  return bit === "nan" ? `element ${element} (NaN)` : `bit ${bit} of element ${element}`;
}
