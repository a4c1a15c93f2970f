import type { Clock } from "../../../platform/time/clock.ts";
import type { CudaDevice } from "../../cuda/device/index.ts";
import { bindNccl, NcclCommunicator, newUniqueId } from "../../cuda/nccl/index.ts";
import { CudaTensor } from "../../cuda/tensor/index.ts";
import { shapeOf } from "../measure/shapes.ts";
import { wireFormats } from "../measure/wire-dtype.ts";
import { enqueueCollective } from "../transports/nccl/calls.ts";
import { elementTypes } from "../transports/nccl/element-types.ts";
import type { World } from "../world/world.ts";
import { refused, type TensorCall } from "./tensor-call.ts";

/** The ranks of a world, joined through NCCL. */
export interface GpuGroup {
  readonly communicator: NcclCommunicator;
  readonly device: CudaDevice;
  close(): Promise<void>;
}

/** Joins the ranks through NCCL; all must come. @throws E_CUDA_UNAVAILABLE, E_CUDA, E_TIMEOUT */
export async function openGpuGroup(options: {
  readonly world: World;
  readonly clock: Clock;
  readonly device: CudaDevice;
  readonly timeoutMs: number;
}): Promise<GpuGroup> {
  const { world, clock, device, timeoutMs } = options;
  const { rank, worldSize, signal } = world;
  const nccl = bindNccl(device.libraries);
  const own = rank === 0 ? Buffer.from(newUniqueId(nccl)).toString("base64") : "";
  const shared = await world.broadcast(own, { what: "the name of NCCL's group" });
  const uniqueId = new Uint8Array(Buffer.from(shared, "base64"));
  const about = { nccl, device, rank, worldSize, uniqueId, clock, signal, timeoutMs };
  const communicator = await NcclCommunicator.open(about);
  return { communicator, device, close: () => communicator.close() };
}

/** Carries a collective out on tensors of GPUs. @throws E_COLLECTIVE, E_CUDA, E_TIMEOUT */
export async function collectOnGpu(
  { communicator, device }: GpuGroup,
  tensor: CudaTensor,
  { op, root, dtype, elements, shape }: TensorCall,
): Promise<CudaTensor> {
  if (tensor.device.id !== device.id) {
    const [here, there] = [tensor.device.id, device.id];
    const remedy = `Bring the tensor there first: tensor.toDevice(x.toHost(), "${there}").`;
    throw refused(op, `the tensor is on ${here}, and this rank takes part with ${there}`, remedy);
  }
  const out = CudaTensor.allocate(device, { dtype: tensor.dtype, shape });
  if (elements === 0) return out;
  const { bytes: elementBytes } = wireFormats[dtype];
  try {
    const { stream } = device;
    using done = device.createEvent();
    stream.uses(tensor.buffer, out.buffer);
    await enqueueCollective(communicator, {
      op,
      root,
      shape: shapeOf({ op, bytes: elements * elementBytes, dtype, root }, communicator),
      send: tensor.buffer.address,
      receive: out.buffer.address,
      stream: stream.handle,
      type: elementTypes[dtype].code,
      elementBytes,
    });
    stream.record(done);
    await communicator.settled(op, done);
    return out;
  } catch (error) {
    out.free();
    throw error;
  }
}
