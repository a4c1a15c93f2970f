import { dtypeInfo } from "../../tensor/dtype/index.ts";
import type { Health } from "../health/index.ts";
import type { DeviceId } from "../mesh/index.ts";
import type { Block } from "./block.ts";
import { flipOf, PatchedBlock } from "./patched-block.ts";

export interface Corruption {
  readonly health: Health;
  readonly op: string;
  readonly device: DeviceId;
  /** Computations have only outputs, so that every wrong bit of the device is one there. */
  readonly where: "contribution" | "output" | "anywhere";
}

/** A block as a device hands it on: with the bits turned over that its health says, in silence. */
export function corrupted(block: Block, { health, op, device, where }: Corruption): Block {
  if (health.empty) return block;
  const bits = 8 * dtypeInfo(block.dtype).bytes;
  const flips = health
    .corruptions(device, op)
    .filter((one) => where === "anywhere" || (one.where ?? "contribution") === where)
    .filter(({ element, bit }) => element < block.size && bit < bits);
  if (flips.length === 0) return block;
  return new PatchedBlock(
    block,
    flips.map(({ element, bit }) => flipOf({ index: element, bit })),
  );
}
