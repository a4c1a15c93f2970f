import fc from "fast-check";
import { DistTensor, type Layout, type Mesh } from "../../../../src/runtime/dist/index.ts";
import { Tensor } from "../../../../src/runtime/tensor/index.ts";
import { meshes } from "../layout/arbitrary-layouts.ts";

/** Data of one device, as plainly as can be: the oracle that collectives are compared with. */
export interface Plain {
  readonly shape: readonly number[];
  readonly values: readonly number[];
}

export function plain(tensor: Tensor): Plain {
  return { shape: [...tensor.shape], values: [...tensor.toNumbers()] };
}

export function plainLocals(x: DistTensor): Plain[] {
  return x.mesh.devices.map((_, rank) => plain(x.local(rank)));
}

/** Some indices of one dimension. */
export function take({ shape, values }: Plain, dim: number, indices: readonly number[]): Plain {
  const length = shape[dim] ?? 1;
  const inner = shape.slice(dim + 1).reduce((product, one) => product * one, 1);
  const outer = shape.slice(0, dim).reduce((product, one) => product * one, 1);
  const taken: number[] = [];
  for (let row = 0; row < outer; row++) {
    for (const index of indices) {
      const start = (row * length + index) * inner;
      taken.push(...values.slice(start, start + inner));
    }
  }
  return { shape: shape.with(dim, indices.length), values: taken };
}

/** One after the other along a dimension. */
export function concat(parts: readonly Plain[], dim: number): Plain {
  const [first = { shape: [], values: [] }] = parts;
  const length = parts.reduce((sum, { shape }) => sum + (shape[dim] ?? 0), 0);
  const inner = first.shape.slice(dim + 1).reduce((product, one) => product * one, 1);
  const outer = first.shape.slice(0, dim).reduce((product, one) => product * one, 1);
  const values: number[] = [];
  for (let row = 0; row < outer; row++) {
    for (const part of parts) {
      const each = (part.shape[dim] ?? 0) * inner;
      values.push(...part.values.slice(row * each, (row + 1) * each));
    }
  }
  return { shape: first.shape.with(dim, length), values };
}

export function total(parts: readonly Plain[]): Plain {
  const [first = { shape: [], values: [] }] = parts;
  const values = first.values.map((_, at) =>
    parts.reduce((sum, part) => sum + (part.values[at] ?? 0), 0),
  );
  return { shape: first.shape, values };
}

/** Which indices fall to each of n when a length is split into parts of ⌈length/n⌉. */
export function dealOut(length: number, n: number): number[][] {
  const each = Math.ceil(length / n);
  const hands = Array.from({ length: n }, (): number[] => []);
  for (let index = 0; index < length; index++) hands[Math.floor(index / each)]?.push(index);
  return hands;
}

/** The members of a rank's group, found by comparing coordinates. */
export function groupOf(mesh: Mesh, axes: readonly string[], rank: number): number[] {
  const at = (one: number, axis: string) => mesh.coordinatesOf(one)[mesh.axes.indexOf(axis)] ?? 0;
  const others = mesh.axes.filter((axis) => !axes.includes(axis));
  const members = [...mesh.devices.keys()].filter((one) =>
    others.every((axis) => at(one, axis) === at(rank, axis)),
  );
  return members.toSorted((one, other) => {
    const axis = axes.find((name) => at(one, name) !== at(other, name)) ?? axes[0] ?? "";
    return at(one, axis) - at(other, axis);
  });
}

/** A mesh, some of its axes, and a shape. */
export const calls = meshes.chain((mesh) =>
  fc.record({
    mesh: fc.constant(mesh),
    over: fc.shuffledSubarray([...mesh.axes], { minLength: 1 }),
    shape: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 3 }),
    dim: fc.nat({ max: 2 }),
  }),
);

/** Small whole numbers of each device's own, so that no sum is ever rounded. */
export function numbered(mesh: Mesh, shape: readonly number[], layout?: Layout): DistTensor {
  const size = shape.reduce((product, length) => product * length, 1);
  return DistTensor.fromLocals({
    mesh,
    ...(layout && { layout }),
    locals: (rank) =>
      Tensor.over(
        Float32Array.from({ length: size }, (_, at) => rank * 100 + at),
        { dtype: "f32", shape },
      ),
  });
}
