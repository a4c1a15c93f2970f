import { TesseraError } from "../../../../platform/errors/index.ts";
import { allocateRaw } from "../../../tensor/dtype/index.ts";
import { Tensor } from "../../../tensor/index.ts";
import { reduceInto, reduceOps, reduceOrders } from "../../../tensor/reduce/index.ts";
import { ring } from "../../collectives/routes.ts";
import { type Call, tensorsOf } from "../call.ts";
import { chunkAlong, resolveDim } from "./chunks.ts";
import type { ReduceOptions, ReduceScatterOptions } from "./options.ts";
import { bytesOf } from "./sizes.ts";
import { overText } from "./words.ts";

export function allReduceCall(tensor: Tensor, options: ReduceOptions): Call {
  return {
    op: "all-reduce",
    tensor,
    ...described("all-reduce", tensor, options),
    phase: "reduce-scatter",
    route: ring,
    bytes: () => bytesOf(tensor),
    combine: (all) => {
      const sum = reduce(tensorsOf(all), options);
      return all.map(() => sum);
    },
  };
}

export function reduceScatterCall(tensor: Tensor, options: ReduceScatterOptions): Call {
  const dim = resolveDim("reduce-scatter", tensor, options.dim ?? 0);
  return {
    op: "reduce-scatter",
    tensor,
    ...described("reduce-scatter", tensor, options, dim),
    phase: "reduce-scatter",
    route: ring,
    bytes: () => bytesOf(tensor),
    combine: (all) => chunkAlong(reduce(tensorsOf(all), options), dim, all.length),
  };
}

function described(name: string, tensor: Tensor, options: ReduceOptions, dim?: number) {
  const { op = "sum", order = "exact", accumulate = "f32", over } = options;
  checkKnown(name, op, reduceOps);
  checkKnown(name, order, reduceOrders);
  const how = order === "exact" ? op : `${op}, order ${order}`;
  const along = dim === undefined ? "" : ` along dimension ${dim}`;
  return {
    wish: `${name} (${how}) of ${tensor.toString()}${along}${overText(over)}`,
    terms: {
      operation: name,
      shape: tensor.shape.join(" x "),
      dtype: tensor.dtype,
      "reduce operation": op,
      order,
      accumulate,
      dimension: String(dim),
    },
  };
}

/** What a caller without types may get wrong. @throws E_COLLECTIVE */
function checkKnown(operation: string, given: string, known: readonly string[]): void {
  if (known.includes(given)) return;
  const problem = `${given} is none of its choices`;
  const remedy = `Use one of ${known.join(", ")}.`;
  throw new TesseraError("E_COLLECTIVE", { op: operation, problem, remedy });
}

function reduce(tensors: readonly Tensor[], options: ReduceOptions): Tensor {
  const { op = "sum", order = "exact", accumulate = "f32" } = options;
  const [first] = tensors as [Tensor, ...Tensor[]];
  const { dtype, shape, size: count } = first;
  if (tensors.length === 1 || count === 0) return first;
  const out = allocateRaw(dtype, count);
  const sources = tensors.map((one) => ({ kind: "raw", raw: one.toRaw(), start: 0 }) as const);
  reduceInto({ dtype, op, order, accumulate, count, sources, out });
  return Tensor.over(out, { dtype, shape });
}
