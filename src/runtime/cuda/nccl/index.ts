export { type BoundNccl, bindNccl, newUniqueId } from "./bind-nccl.ts";
export { type CommunicatorOptions, NcclCommunicator } from "./communicator.ts";
export {
  type ExactKind,
  type ExactValues,
  exactValues,
  exactValuesKernel,
  valueAt,
} from "./kernels/exact-values.ts";
