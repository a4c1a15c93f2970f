/**
 * Distributed tensors. `x.redistribute(…)` calls `redistribute/`, so what lies there imports
 * `DistTensor` as a type only, and makes its result with `x.remade({ mesh, layout, locals })`, which
 * is `DistTensor.fromLocals` of the same class.
 */
export type { Block } from "./block.ts";
export { distribute, type TensorInput, type TensorOptions, tensor } from "./create.ts";
export { DistTensor, type FromLocals, type LocalsOf } from "./dist-tensor.ts";
export type { Provenance } from "./provenance.ts";
