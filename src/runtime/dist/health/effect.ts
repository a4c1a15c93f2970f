import type { DeviceId, Mesh } from "../mesh/index.ts";
import type { Corrupt, Slow } from "./breakage.ts";

/** What something that is broken did to an operation. */
export interface Effect {
  readonly op: string;
  /** It failed; its modelled time grew; its values are wrong. */
  readonly what: "failed" | "slowed" | "corrupted";
  /** In a few words: `device 5 (rank 5) is lost`. */
  readonly text: string;
}

/** What an operation has met: everything in force that it fits is told. */
export type Met =
  | { readonly kind: "dead" | "hung" | "failing" | "straggling"; readonly device: DeviceId }
  | {
      readonly kind: "cut";
      readonly from: DeviceId;
      readonly to: DeviceId;
      readonly mesh?: Mesh;
    }
  /** As the health gave it. */
  | { readonly kind: "this"; readonly breakage: Corrupt | Slow };
