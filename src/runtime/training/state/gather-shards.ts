import { allocateRaw, bytesOf, type DType, dtypeInfo } from "../../tensor/dtype/index.ts";
import { sizeOf, Tensor } from "../../tensor/index.ts";
import type { Params } from "../../tensor/nn/index.ts";
import type { Place, StepLinks } from "../links/index.ts";
import type { ShardParam } from "../model/index.ts";
import { type JobPlan, namesOfStage } from "../step/index.ts";

/** One tensor of which ranks hold parts: a parameter or a moment of it. */
interface Part {
  readonly param: ShardParam;
  readonly dtype: DType;
  readonly own: Tensor | undefined;
}

/** What this rank holds of all parameters, or of one kind of moments. */
export interface HeldRecord {
  readonly held: Params;
  readonly dtypeOf: (param: ShardParam) => DType;
}

/**
 * Records of parameters or moments whole, on every rank, from what each holds. All ranks call it
 * together. One rank brings each byte and the others zero, so that the sum is what was held.
 */
export async function gatherShards(
  plan: JobPlan,
  links: StepLinks,
  records: readonly HeldRecord[],
): Promise<readonly Params[]> {
  const { dp, tp, pp } = links.place;
  if (tp.size * pp.size === 1) return records.map(({ held }) => held);
  const parts = records.map(({ held, dtypeOf }) =>
    [...plan.model.params.values()].map((param): Part => {
      const isOwn = dp.index === 0 && ownsPart(plan, links.place, param);
      return { param, dtype: dtypeOf(param), own: isOwn ? held[param.name] : undefined };
    }),
  );
  const all = parts.flat();
  const sizeBytes = all.reduce((sum, part) => sum + bytesOfWhole(part), 0);
  const bytes = new Uint8Array(sizeBytes);
  let at = 0;
  for (const part of all) {
    if (part.own !== undefined) putPart(bytes.subarray(at), part, links.place);
    at += bytesOfWhole(part);
  }
  const sent = Tensor.over(bytes, { dtype: "u8", shape: [sizeBytes] });
  const sum = await links.allReduce(sent, { over: ["dp", "tp", "pp"], name: "parameters" });
  return wholesFrom(bytesOf(sum.toRaw()), parts);
}

/** Of several ranks that hold the same, the first one brings it. */
function ownsPart(plan: JobPlan, { tp, pp }: Place, { name, split }: ShardParam): boolean {
  const first = plan.stages.findIndex((_, stage) => namesOfStage(plan, stage).includes(name));
  return pp.index === first && (split !== undefined || tp.index === 0);
}

function bytesOfWhole({ param, dtype }: Part): number {
  return sizeOf(param.shape) * dtypeInfo(dtype).bytes;
}

/** Puts a rank's part where it lies in the whole, which begins at the start of `bytes`. */
function putPart(bytes: Uint8Array, { param, dtype, own }: Part, { tp }: Place): void {
  if (own === undefined) return;
  const from = bytesOf(own.contiguous().toRaw());
  const { shape, split = 0 } = param;
  const ranks = param.split === undefined ? 1 : tp.size;
  const rowBytes = sizeOf(shape.slice(split)) * dtypeInfo(dtype).bytes;
  const partBytes = rowBytes / ranks;
  const start = ranks === 1 ? 0 : tp.index * partBytes;
  for (let row = 0; row * partBytes < from.length; row++) {
    bytes.set(from.subarray(row * partBytes, (row + 1) * partBytes), row * rowBytes + start);
  }
}

function wholesFrom(bytes: Uint8Array, parts: readonly (readonly Part[])[]): readonly Params[] {
  let at = 0;
  return parts.map((record) =>
    Object.fromEntries(
      record.map((part) => {
        const { param, dtype } = part;
        const raw = allocateRaw(dtype, sizeOf(param.shape));
        bytesOf(raw).set(bytes.subarray(at, at + bytesOfWhole(part)));
        at += bytesOfWhole(part);
        return [param.name, Tensor.over(raw, { dtype, shape: param.shape })];
      }),
    ),
  );
}
