import { formatShape, sameShape } from "../../tensor/shape.ts";
import { localShape } from "../layout/index.ts";
import { badCall, type Call } from "./call.ts";

/**
 * Makes sure that the layout gives all ranks of a group the same shape, as what is put side by side
 * or reduced element by element must have.
 *
 * @param except a dimension that may differ
 * @throws E_COLLECTIVE
 */
export function requireEqualShapes({ op, x, mesh, groups, axes }: Call, except = -1): void {
  const { layout, shape } = x;
  const held = (rank: number) =>
    localShape(layout, { mesh, shape, rank }).filter((_, dim) => dim !== except);
  const shownShape = (rank: number) => formatShape(localShape(layout, { mesh, shape, rank }));
  for (const group of groups) {
    const [first = 0, ...others] = group;
    const wanted = held(first);
    const other = others.find((rank) => !sameShape(held(rank), wanted));
    if (other === undefined) continue;
    const over = axes.join(", ");
    throw badCall(
      op,
      `the parts over ${over} differ in shape: rank ${first} holds ${shownShape(first)}, rank ${other} ${shownShape(other)}`,
      `Redistribute the tensor first, so that ${over} does not split it unevenly, for example x.redistribute({ layout: dist.replicate() }).`,
    );
  }
}
