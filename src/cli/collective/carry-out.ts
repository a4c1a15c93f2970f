import type { DistTensor } from "../../runtime/dist/index.ts";
import type { CollectiveRequest } from "./request.ts";
import type { GivenShape } from "./sizes.ts";
import { collectiveUsage } from "./usage.ts";

const devicesMax = 4096;

/**
 * Carries the collective out on simulated devices, each with random bytes of its own, and gives the
 * digest of the result; for what only some devices get, of the tensor the last of them holds.
 * Undefined for a barrier, which moves nothing.
 */
export async function carryOut(
  request: CollectiveRequest,
  options: { readonly tensor: GivenShape; readonly seed: string },
): Promise<string | undefined> {
  if (request.op === "barrier") return undefined;
  if (request.devices > devicesMax) {
    throw collectiveUsage(
      `--shape carries the bytes out on up to ${devicesMax} devices, not ${request.devices}; use --bytes for the time alone.`,
    );
  }
  // The runtime is large, and only --shape needs it.
  const [dist, op] = await Promise.all([
    import("../../runtime/dist/index.ts"),
    import("../../runtime/op/index.ts"),
  ]);
  const { shape, dtype } = options.tensor;
  const random = { kind: "symmetric", seed: options.seed } as const;
  const mesh = new dist.Mesh({ axes: axesOf(request), devices: request.devices });
  const own = () => dist.tensor(shape, { mesh, dtype, random, distinct: true });
  const split = () =>
    dist.tensor(shape, { mesh, dtype, random, layout: splitRows(dist, mesh.axes) });
  const last = request.devices - 1;
  switch (request.op) {
    case "all-reduce":
      return op.allReduce(own(), { op: "sum" }).digest();
    case "hierarchical-all-reduce":
      return op.hierarchicalAllReduce(own(), { op: "sum" }).digest();
    case "reduce-scatter":
      return op.reduceScatter(own(), { op: "sum" }).digest();
    case "reduce":
      return op.reduce(own(), { op: "sum" }).local(0).digest();
    case "all-gather":
      return op.allGather(split()).digest();
    case "gather":
      return op.gather(split()).local(0).digest();
    case "all-to-all":
      return op.allToAll(split(), { splitDim: shape.length - 1, concatDim: 0 }).digest();
    case "broadcast":
      return localDigest(op.broadcast(own()), last);
    case "scatter":
      return localDigest(op.scatter(own()), last);
    case "send-recv":
      return localDigest(op.sendRecv(own(), { from: 0, to: last }), last);
    case "permute":
      return localDigest(op.permute(own(), { pairs: roundRobin(request.devices) }), 0);
  }
}

function axesOf({ op, devices, topology }: CollectiveRequest): readonly string[] {
  const hasNodes = devices > topology.gpusPerNode && devices % topology.gpusPerNode === 0;
  return op === "hierarchical-all-reduce" && hasNodes ? ["node", "gpu"] : ["device"];
}

function splitRows(
  dist: typeof import("../../runtime/dist/index.ts"),
  axes: readonly string[],
): ReturnType<typeof dist.shardSpec> {
  return dist.shardSpec({ partition: ["row"], meshAxes: axes });
}

function roundRobin(devices: number): readonly (readonly [number, number])[] {
  return Array.from({ length: devices }, (_, rank) => [rank, (rank + 1) % devices] as const);
}

function localDigest(result: DistTensor, rank: number): string {
  return result.local(rank).digest();
}
