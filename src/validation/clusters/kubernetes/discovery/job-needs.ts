import type { PodSpec, Toleration } from "../objects.ts";
import type { Amounts } from "./amounts.ts";

/** What a job needs of a node, worked out from the template that it will be made from. */
export interface JobNeeds {
  /** What its pod asks for on a node with so many GPUs. */
  requests(gpus: number): Amounts;
  readonly tolerations: readonly Toleration[];
  /** Its selectors on the node of this name. */
  selectors(node: string): PodSpec;
  /** What a job asks for to get GPUs; null when it asks for none. */
  readonly gpuResource: string | null;
  /** Whether the holder of a resource has a GPU. */
  isGpu(resource: string): boolean;
  readonly excludedNodes: ReadonlySet<string>;
}
