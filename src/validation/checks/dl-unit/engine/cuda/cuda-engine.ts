import type { Clock } from "../../../../../platform/time/index.ts";
import {
  type CudaDevice,
  type CudaEvent,
  openCudaDevice,
} from "../../../../../runtime/cuda/index.ts";
import * as ops from "../../../../../runtime/cuda/ops/index.ts";
import {
  type CudaTensor,
  cudaDtypeBytes,
  fromBytes,
  fullOnCuda,
  randomOnCuda,
  toDevice,
} from "../../../../../runtime/cuda/tensor/index.ts";
import { allocateRaw, bytesOf } from "../../../../../runtime/tensor/dtype/index.ts";
import { Tensor } from "../../../../../runtime/tensor/index.ts";
import type { DlEngine } from "../engine.ts";
import type { MatrixFormat } from "../formats.ts";
import { alteredDevice, lentTo, takenBack } from "./altered-device.ts";
import { matmulWithoutLastTerm } from "./altered-matmul.ts";
import { compareTileOnGpu } from "./compare-tile-on-gpu.ts";
import { cudaOperations } from "./cuda-operations.ts";
import { openSideLane } from "./side-lane.ts";
import { cudaSoftware } from "./software-key.ts";
import { TensorScopes } from "./tensor-scopes.ts";
import { transferBothWays } from "./transfer.ts";
import { walkDeviceMemory } from "./walk-device-memory.ts";

export interface CudaEngineOptions {
  /** Which of the GPUs that this process sees. */
  readonly index: number;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The cases on one GPU, with cuBLAS and the runtime's own kernels.
 *
 * @throws TesseraError E_CUDA, E_CUDA_UNAVAILABLE
 */
export function createCudaEngine({ index, clock, env }: CudaEngineOptions): DlEngine<CudaTensor> {
  const device = openCudaDevice(`cuda:${index}`, { env, clock });
  try {
    return engineOf(device, new TensorScopes());
  } catch (error) {
    device.close();
    throw error;
  }
}

function engineOf(device: CudaDevice, scopes: TensorScopes): DlEngine<CudaTensor> {
  const { properties, stream } = device;
  const own = (tensor: CudaTensor) => scopes.track(tensor);
  const operations = cudaOperations({
    scopes,
    lend: (tensor) => tensor,
    take: (tensor) => tensor,
    matmul: (a, b, { dtype, ...options } = {}) =>
      ops.matmul(a, b, { ...options, ...(dtype === undefined ? {} : { outDtype: dtype }) }),
  });
  const engine: DlEngine<CudaTensor> = {
    name: "cuda",
    device: {
      name: `gpu ${properties.index}`,
      index: properties.index,
      model: properties.model,
      uuid: properties.uuid,
      pciBusId: properties.pciBusId,
    },
    ...cudaSoftware(device),
    unsupported: (format) => unsupported(device, format),
    scope: (work) => scopes.scope(work),
    scopeAsync: (work) => scopes.scopeAsync(work),
    drop: (tensors) => scopes.drop(tensors),
    upload: (values, as) =>
      own(as === "i8" ? uploadBytes(device, values) : toDevice(values, device)),
    download,
    random: (shape, { spec, dtype }) => own(randomOnCuda(shape, { device, spec, dtype })),
    zeros: (shape, dtype) => own(fullOnCuda(shape, 0, { device, dtype })),
    reshape: (tensor, shape) => own(tensor.reshape(shape)),
    digest: (tensor) => digestOf(tensor),
    flipBit: ({ buffer, bytes }, bit) => ops.flipBit(device, { buffer, bit: bit % (8 * bytes) }),
    compareWithTile: compareTileOnGpu,
    ...operations,
    settle: (signal) => stream.settled(signal),
    timeEach: (count, work, signal) => timeEach(device, { count, work, signal }),
    walkMemory: (options) => walkDeviceMemory(device, options),
    transfer: (options) => transferBothWays(device, options),
    openSideLane: () => openSideLane(device, scopes),
    altered: () => ({ ...engine, ...alteredOperations(device, scopes) }),
    close: () => {
      scopes.close();
      device.close();
    },
  };
  return engine;
}

function alteredOperations(device: CudaDevice, scopes: TensorScopes) {
  const altered = alteredDevice(device);
  return cudaOperations({
    scopes,
    lend: (tensor) => lentTo(altered, tensor),
    take: (tensor) => takenBack(device, tensor),
    matmul: (a, b, options = {}) => matmulWithoutLastTerm(a, b, options),
  });
}

function unsupported({ properties }: CudaDevice, format: MatrixFormat): string | undefined {
  const { major, minor } = properties.computeCapability;
  const isFp8 = format === "e4m3" || format === "e5m2";
  if (!isFp8 || 10 * major + minor >= 89) return undefined;
  return `${properties.model} (sm_${major}${minor}) does not multiply in ${format}`;
}

/** Integers from -128 to 127, a byte each. */
function uploadBytes(device: CudaDevice, values: Tensor): CudaTensor {
  const bytes = new Int8Array(values.size);
  bytes.set(values.toRaw());
  return fromBytes(new Uint8Array(bytes.buffer), { device, dtype: "i8", shape: values.shape });
}

function download(
  tensor: CudaTensor,
  rows?: { readonly start: number; readonly count: number },
): Tensor {
  const { dtype, shape, size, device, buffer } = tensor;
  if (rows === undefined || dtype === "i8") return tensor.toHost();
  const [length = 1, ...rest] = shape;
  const perRow = size / length;
  const raw = allocateRaw(dtype, rows.count * perRow);
  const offsetBytes = rows.start * perRow * cudaDtypeBytes(dtype);
  device.stream.download({ buffer, offsetBytes }, bytesOf(raw));
  return Tensor.over(raw, { dtype, shape: [rows.count, ...rest] });
}

/** Taken on the GPU itself, at the speed of its memory. */
function digestOf(tensor: CudaTensor): string {
  const { dtype, shape } = tensor;
  const hash = ops.hashTensor(tensor).toString(16).padStart(16, "0");
  return `hash64:${dtype}[${shape.join(",")}]:${hash}`;
}

async function timeEach(
  device: CudaDevice,
  given: {
    readonly count: number;
    readonly work: (at: number) => void;
    readonly signal: AbortSignal;
  },
): Promise<number[]> {
  const { count, work, signal } = given;
  const { stream } = device;
  const events: CudaEvent[] = [];
  const mark = () => {
    const event = device.createEvent();
    events.push(event);
    stream.record(event);
  };
  try {
    mark();
    for (let at = 0; at < count; at++) {
      work(at);
      mark();
    }
    await stream.settled(signal);
    return events.slice(1).map((event, at) => {
      const before = events[at];
      return before === undefined ? 0 : event.elapsedMsSince(before);
    });
  } finally {
    for (const event of events) event.close();
  }
}
