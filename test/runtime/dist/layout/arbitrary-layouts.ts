import fc from "fast-check";
import {
  type Layout,
  type Placement,
  resolveLayout,
  type Split,
} from "../../../../src/runtime/dist/layout/index.ts";
import { Mesh } from "../../../../src/runtime/dist/mesh/index.ts";

/** A mesh, a shape, and a layout of a tensor of that shape on it. */
export interface Case {
  readonly mesh: Mesh;
  readonly shape: readonly number[];
  readonly layout: Layout;
}

export const meshes = fc
  .array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 })
  .map((shape) => {
    const axes = shape.map((_, axis) => `a${axis}`);
    return new Mesh({ axes, shape, devices: shape.reduce((a, b) => a * b, 1) });
  });

export const shapes = fc.array(fc.integer({ min: 0, max: 7 }), { minLength: 1, maxLength: 3 });

/** Layouts without partial values, nested in any order, of every split. */
export function layouts(mesh: Mesh, shape: readonly number[]): fc.Arbitrary<Layout> {
  const shard = fc
    .record({
      dim: fc.nat({ max: shape.length - 1 }),
      split: fc.constantFrom<Split>("ceil", "balanced", "cyclic"),
      block: fc.integer({ min: 1, max: 3 }),
      order: fc.nat({ max: 3 }),
    })
    .map(
      ({ block, ...rest }): Placement =>
        rest.split === "cyclic" ? { kind: "shard", ...rest } : { kind: "shard", ...rest, block },
    );
  const placement = fc.oneof(shard, fc.constant<Placement>({ kind: "replicate" }));
  const count = mesh.axes.length;
  return fc
    .array(placement, { minLength: count, maxLength: count })
    .map((placements) => resolveLayout(placements, { mesh, shape }));
}

export const cases: fc.Arbitrary<Case> = fc
  .tuple(meshes, shapes)
  .chain(([mesh, shape]) => layouts(mesh, shape).map((layout) => ({ mesh, shape, layout })));

/** The indices of a dimension that a rank holds, found by really dealing them out. */
export function dealt({ mesh, shape, layout }: Case, rank: number, dim: number): number[] {
  let indices = Array.from({ length: shape[dim] ?? 0 }, (_, index) => index);
  const coordinates = mesh.coordinatesOf(rank);
  for (const { axis, how } of layout.splitsOf(dim)) {
    const parts = mesh.shape[axis] ?? 1;
    const block = how.block ?? 1;
    const hands = Array.from({ length: parts }, (): number[] => []);
    const blocks: number[][] = [];
    for (let at = 0; at < indices.length; at += block) blocks.push(indices.slice(at, at + block));
    for (const [number, one] of blocks.entries()) {
      const each = Math.ceil(blocks.length / parts);
      const larger = blocks.length % parts;
      const floor = Math.floor(blocks.length / parts);
      const beyond = number - larger * (floor + 1);
      const owner = {
        ceil: () => Math.floor(number / each),
        cyclic: () => number % parts,
        balanced: () =>
          beyond < 0 ? Math.floor(number / (floor + 1)) : larger + Math.floor(beyond / floor),
      }[how.split]();
      hands[owner]?.push(...one);
    }
    indices = hands[coordinates[axis] ?? 0] ?? [];
  }
  return indices;
}
