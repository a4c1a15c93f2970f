import type { DType } from "../../../tensor/dtype/index.ts";
import type { DeviceId, Mesh } from "../../mesh/index.ts";
import type { Layout } from "../layout.ts";
import type { LayoutSpec } from "../layout-spec.ts";

/** What the ranks of a tensor really hold. */
export interface LocalFacts {
  shape(rank: number): readonly number[];
  dtype(rank: number): DType;
  /** A digest of the bytes; undefined where there is nothing to compare, such as generated values. */
  digest?(rank: number): string | undefined;
}

/** A distributed tensor as the report looks at it. */
export interface ShardingView {
  readonly mesh: Mesh;
  /** The whole tensor's shape. */
  readonly shape: readonly number[];
  readonly dtype: DType;
  readonly layout: Layout;
  /** The layout the user asked for, to see whether it was honoured. */
  readonly requested?: LayoutSpec | Layout | undefined;
  /** What the ranks hold; without it, only the metadata is judged. */
  readonly locals?: LocalFacts;
  readonly deadDevices?: ReadonlySet<DeviceId>;
}
