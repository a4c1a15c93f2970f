import { Mesh } from "../../../../src/runtime/dist/mesh/index.ts";
import { type Rank, spmd } from "../../../../src/runtime/dist/spmd/index.ts";
import { fromValues, type Tensor } from "../../../../src/runtime/tensor/index.ts";

export const line = (devices: number) => new Mesh({ axes: ["dp"], devices });

export const grid = (a: number, b: number) =>
  new Mesh({ axes: ["a", "b"], devices: a * b, shape: [a, b] });

export const values = (...all: number[]) => fromValues(all, { dtype: "f32" });

export const numbers = (tensor: Tensor) => [...tensor.toNumbers()];

/** What each rank's program came to: its value, or the error it got. */
export async function outcomes(mesh: Mesh, program: (rank: Rank) => Promise<unknown>) {
  return await spmd(mesh, async (rank) => {
    try {
      return await program(rank);
    } catch (error) {
      return error;
    }
  });
}
