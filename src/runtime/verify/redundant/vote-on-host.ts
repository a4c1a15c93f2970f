import type { Tensor } from "../../tensor/index.ts";
import type { MatmulOptions } from "../../tensor/ops/index.ts";
import { hostWays } from "./host-product.ts";
import { voteOfAnswers } from "./vote-of-answers.ts";
import type { Vote } from "./vote-types.ts";

/** Different ways to compute the product vote. */
export function voteOnHost(
  [a, b]: readonly [Tensor, Tensor],
  { devices, options }: { readonly devices: number; readonly options: MatmulOptions },
): Vote<Tensor> {
  const ways = hostWays(a, b, options).slice(0, devices);
  return voteOfAnswers(
    ways.map(({ name, compute }) => ({ device: name, compute: () => compute(a, b) })),
    { devices, independence: "other-code" },
  );
}
