/** What a fault hits, as a plan names it: nothing is left to be chosen. */
export type Target =
  /** A rank of the first generation, and the device and process under it. */
  | { readonly kind: "rank"; readonly rank: number }
  | { readonly kind: "node"; readonly node: number }
  /** All links between different sides; ranks that no side names are one more side. */
  | {
      readonly kind: "cut";
      readonly sides: readonly (readonly number[])[];
      /** Only what goes from an earlier side to a later one is hit. */
      readonly asymmetric: boolean;
    }
  /** One direction between two ranks. */
  | { readonly kind: "link"; readonly from: number; readonly to: number }
  /** The ranks that differ along one axis alone, such as the data-parallel ranks of a stage. */
  | { readonly kind: "group"; readonly axis: ParallelAxisName; readonly ranks: readonly number[] }
  /** Where checkpoints lie. */
  | { readonly kind: "storage" }
  | { readonly kind: "pod"; readonly namespace: string; readonly name: string }
  | { readonly kind: "kubernetes-node"; readonly name: string }
  /** The job of the workload. */
  | { readonly kind: "slurm-job" }
  | { readonly kind: "slurm-node"; readonly name: string };

export type ParallelAxisName = "dp" | "tp" | "pp";
