import { localSlices } from "../../layout/index.ts";
import type { DeviceId, Mesh } from "../../mesh/index.ts";
import type { Meeting } from "./meet.ts";
import type { Placed } from "./plan-types.ts";
import { SourceParts } from "./source-parts.ts";

/** A box that goes from a rank of one mesh to a rank of another. */
export interface Transfer {
  readonly fromRank: number;
  readonly toRank: number;
  /** Where the box lies: in what the receiver gets (one) and in what the sender has (other). */
  readonly dims: readonly Meeting[];
  readonly elements: number;
  /** True when sender and receiver are the same device. */
  readonly inPlace: boolean;
}

/** What a copy between meshes goes by. */
export interface CopyQuestion {
  readonly shape: readonly number[];
  readonly from: Placed;
  readonly to: Placed;
  /** Devices that cannot send. A part that only they hold is taken from them all the same. */
  readonly isDead: (device: DeviceId) => boolean;
}

/**
 * Every transfer of a copy, receiver by receiver. A receiver that holds a part already keeps it;
 * other parts come from living replicas, a different one for each receiver, so that they share the
 * work.
 */
export function* transfersOf({ shape, from, to, isDead }: CopyQuestion): Generator<Transfer> {
  const parts = new SourceParts(from.mesh, from.layout, shape);
  const holders = new Holders(from, isDead);
  for (let toRank = 0; toRank < to.mesh.size; toRank++) {
    const slices = localSlices(to.layout, { mesh: to.mesh, shape, rank: toRank });
    const device = to.mesh.deviceOf(toRank);
    const own = isDead(device) ? undefined : from.mesh.rankOfDevice(device);
    for (const { base, dims, elements } of parts.of(slices)) {
      const ranks = holders.of(base);
      const inPlace = own !== undefined && ranks.includes(own);
      const fromRank = inPlace ? own : (ranks[toRank % ranks.length] ?? base);
      yield { fromRank, toRank, dims, elements, inPlace };
    }
  }
}

/** Which ranks hold the same as another one. */
class Holders {
  readonly #mesh: Mesh;
  readonly #copied: readonly string[];
  readonly #isDead: (device: DeviceId) => boolean;
  readonly #known = new Map<number, readonly number[]>();

  constructor({ mesh, layout }: Placed, isDead: (device: DeviceId) => boolean) {
    this.#mesh = mesh;
    this.#copied = layout.axesWith("replicate").map((axis) => mesh.axes[axis] ?? "");
    this.#isDead = isDead;
  }

  /** The living ranks among them; all, when none lives. */
  of(base: number): readonly number[] {
    const known = this.#known.get(base);
    if (known !== undefined) return known;
    const all = this.#mesh.groupOf(base, this.#copied);
    const living = all.filter((rank) => !this.#isDead(this.#mesh.deviceOf(rank)));
    const ranks = living.length === 0 ? all : living;
    this.#known.set(base, ranks);
    return ranks;
  }
}
