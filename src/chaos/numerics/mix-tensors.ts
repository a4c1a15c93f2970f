import { Tensor } from "../../runtime/tensor/index.ts";
import type { Params } from "../../runtime/tensor/nn/index.ts";

/** Tensors laid end to end by name: up to a share of all elements their own, from there on the others'. */
export function mixTensors(own: Params, others: Params, share: number): Params {
  const names = Object.keys(own).toSorted();
  const size = names.reduce((sum, name) => sum + (own[name]?.size ?? 0), 0);
  const cut = Math.floor(size * share);
  let start = 0;
  const mixed = names.map((name): [string, Tensor] => {
    const tensor = own[name] as Tensor;
    const other = others[name] ?? tensor;
    const kept = Math.min(tensor.size, Math.max(0, cut - start));
    start += tensor.size;
    return [name, kept === tensor.size ? tensor : joined(tensor, other, kept)];
  });
  return Object.fromEntries(mixed);
}

function joined(tensor: Tensor, other: Tensor, kept: number): Tensor {
  const { dtype, shape } = tensor;
  const raw = tensor.toRaw().slice();
  const rest = other.toRaw().subarray(kept);
  raw.set(rest, kept);
  return Tensor.over(raw, { dtype, shape });
}
