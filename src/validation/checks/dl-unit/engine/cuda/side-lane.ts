import type { CudaDevice } from "../../../../../runtime/cuda/index.ts";
import { matmul } from "../../../../../runtime/cuda/ops/index.ts";
import type { CudaTensor } from "../../../../../runtime/cuda/tensor/index.ts";
import type { SideLane } from "../engine.ts";
import type { TensorScopes } from "./tensor-scopes.ts";

/** Products on a stream of their own, so that the device's stream is free for collectives. */
export function openSideLane(device: CudaDevice, scopes: TensorScopes): SideLane<CudaTensor> {
  const stream = device.createStream();
  return {
    matmul: (a, b, { dtype, ...options } = {}) =>
      scopes.track(
        matmul(a, b, { ...options, stream, ...(dtype === undefined ? {} : { outDtype: dtype }) }),
      ),
    time: async (count, work, signal) => {
      using begun = device.createEvent();
      using ended = device.createEvent();
      stream.record(begun);
      for (let at = 0; at < count; at++) work();
      stream.record(ended);
      await stream.settled(signal);
      return ended.elapsedMsSince(begun);
    },
    close: () => stream.close(),
  };
}
