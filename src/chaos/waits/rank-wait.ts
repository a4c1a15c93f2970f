/** What a rank is doing, as far as others depend on it. */
export type RankWait =
  /** It computes, or does something else that ends by itself. */
  | { readonly kind: "running" }
  /** It ended, died or was cut off for good: it will enter nothing any more. */
  | { readonly kind: "gone" }
  /** It waits in an exchange until all of the group are in it. */
  | {
      readonly kind: "collective";
      /** Ranks of the group. Ranks of one group give the same list, in the same order. */
      readonly group: readonly number[];
      /** How many exchanges of this group this rank entered before, plus one. */
      readonly sequence: number;
      readonly op: string;
      readonly bytes: number;
      readonly dtype: string;
    }
  /** It hands something to a peer, or wants something of it, and waits until the peer takes part. */
  | {
      readonly kind: "send" | "receive";
      readonly peer: number;
      readonly bytes: number;
      readonly dtype: string;
    }
  /** It waits for something that is no rank. */
  | {
      readonly kind: "outside";
      readonly what: "data" | "storage" | "lock" | "device" | "abort";
      /** Whether that is still at work, such as a slow disk; false: nothing will ever come. */
      readonly comes: boolean;
    };
