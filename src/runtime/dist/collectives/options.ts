import type { ReduceOp, ReduceOrder } from "../../tensor/reduce/index.ts";
import type { Algorithm } from "../time-model/index.ts";

/** What every collective takes. */
export interface CollectiveOptions {
  /** The mesh axis, or axes, whose groups take part. Default: all axes, one group. */
  readonly over?: string | readonly string[];
  /**
   * Only the devices with these coordinates take part, and the result lies on their sub-mesh: the
   * rest of the mesh may be broken. `{ dp: 1 }`.
   */
  readonly only?: Readonly<Record<string, number>>;
  /** What the time model assumes. Default: the fastest by the model. */
  readonly algorithm?: Algorithm;
}

/** What every collective with a reduction takes. */
export interface ReductionOptions extends CollectiveOptions {
  /** Default: the operation a partial layout waits for, else sum. */
  readonly op?: ReduceOp;
  /**
   * The exact sum, rounded once: the same bits for every layout, algorithm and order of devices.
   * False adds in the order of the algorithm that the time model chooses. Default: true.
   */
  readonly deterministic?: boolean;
  /** Adds in this order, as hardware does. */
  readonly order?: ReduceOrder;
  /** What carries the running value of f16, bf16 and fp8 in such an order. Default: f32. */
  readonly accumulate?: "dtype" | "f32";
}
