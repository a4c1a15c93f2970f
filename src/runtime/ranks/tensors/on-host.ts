import type { Clock } from "../../../platform/time/clock.ts";
import { bytesOf } from "../../tensor/dtype/index.ts";
import { Tensor } from "../../tensor/tensor.ts";
import { shapeOf } from "../measure/shapes.ts";
import { elementsOf, wireFormats } from "../measure/wire-dtype.ts";
import type { WireDType } from "../ranks.ts";
import { runOperation } from "../transports/tcp/operation.ts";
import { pieceElementsOf } from "../transports/tcp/pieces.ts";
import { scheduleOf } from "../transports/tcp/schedule.ts";
import type { World } from "../world/world.ts";
import type { TensorCall } from "./tensor-call.ts";

/** Carries a collective out on tensors of the host, over TCP. */
export async function collectOnHost(
  options: { readonly world: World; readonly clock: Clock; readonly stallMs: number },
  tensor: Tensor,
  { op, root, dtype, elements, shape }: TensorCall,
): Promise<Tensor> {
  if (elements === 0) return tensor.reshape(shape);
  const { world } = options;
  const { rank, worldSize } = world;
  const { bytes: width } = wireFormats[dtype];
  const size = { op, bytes: elements * width, dtype, root };
  const { share } = shapeOf(size, world);
  const pieceElements = pieceElementsOf({ bytes: size.bytes, worldSize, width });
  const schedule = scheduleOf({ op, rank, worldSize, elements, share, root, pieceElements });
  const make = (count: number) => viewsOf(new Uint8Array(count * width), dtype);
  const out = make(schedule.outElements);
  const buffers = {
    dtype,
    width,
    own: viewsOf(unshared(bytesOf(tensor.toRaw())), dtype),
    out,
    received: make(pieceElements),
  };
  await runOperation({ ...options, what: op, schedule, buffers });
  const answerElements = shape.reduce((product, length) => product * length, 1);
  const { answerAt } = schedule;
  // A share is copied, so that it does not keep the memory of everything.
  const raw =
    answerElements === schedule.outElements
      ? out.elements
      : out.elements.slice(answerAt, answerAt + answerElements);
  // i8 is no dtype of tensors, so that it never comes here.
  if (raw instanceof Int8Array) throw new Error("a tensor has no i8");
  return Tensor.over(raw, { dtype: tensor.dtype, shape });
}

function viewsOf(bytes: Uint8Array, dtype: WireDType) {
  return { bytes, elements: elementsOf(bytes, dtype) };
}

/** Sockets do not take memory that threads share. */
function unshared(bytes: Uint8Array): Uint8Array {
  return bytes.buffer instanceof SharedArrayBuffer ? new Uint8Array(bytes) : bytes;
}
