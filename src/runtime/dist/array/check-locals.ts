import { TesseraError } from "../../../platform/errors/index.ts";
import type { DType } from "../../tensor/dtype/index.ts";
import { formatShape, sameShape } from "../../tensor/shape.ts";
import { type Layout, localShape } from "../layout/index.ts";
import type { Mesh } from "../mesh/index.ts";
import type { Block } from "./block.ts";

interface Parts {
  readonly mesh: Mesh;
  readonly layout: Layout;
  readonly dtype: DType;
  readonly shape: readonly number[];
  block(rank: number): Block;
}

const namedMax = 4;

/**
 * Makes sure that ranks hold what the layout says they hold.
 *
 * @throws E_DESYNC naming the ranks that do not.
 */
export function checkLocals(
  x: Parts,
  { op, ranks }: { readonly op: string; readonly ranks: readonly number[] },
): void {
  const { mesh, layout, shape, dtype } = x;
  const wrong = ranks.flatMap((rank) => {
    const block = x.block(rank);
    const wanted = localShape(layout, { mesh, shape, rank });
    if (block.dtype === dtype && sameShape(block.shape, wanted)) return [];
    const held = `${block.dtype}${formatShape(block.shape)}`;
    return [{ rank, text: `rank ${rank} holds ${held} instead of ${dtype}${formatShape(wanted)}` }];
  });
  if (wrong.length === 0) return;
  const named = wrong.slice(0, namedMax).map(({ text }) => text);
  const more = wrong.length > namedMax ? `, and ${wrong.length - namedMax} more` : "";
  throw new TesseraError("E_DESYNC", {
    op,
    problem: `${named.join(", ")}${more}`,
    what: "shape and dtype",
    ranks: wrong.map(({ rank }) => rank),
  });
}
