import { formatBytes } from "../../platform/units/index.ts";
import { type CollectiveOp, modelCollective } from "../../runtime/dist/time-model/index.ts";
import { topologyOf } from "../../runtime/dist/topology/index.ts";
import type { QaCheck, QaFinding } from "../../runtime/qa/index.ts";
import { chooseTransport, measureHere } from "../collective/measure.ts";
import type { MeasuredRequest } from "../collective/measured-request.ts";
import { formatUs } from "../collective/show.ts";
import type { Invocation } from "../invocation.ts";
import { usageError } from "../usage-error.ts";

const section = "measured";
/** One size whose time is latency and one whose time is bandwidth. */
const sizes = [4096, 16 * 2 ** 20];
const ops = ["all-reduce", "reduce-scatter", "all-gather", "all-to-all", "broadcast"] as const;
const ranksMax = 256;

/**
 * The collectives of the suite between real ranks of this host. A wrong element fails; times are shown
 * beside the model's and not judged, because this host need not be the rack that is modelled.
 *
 * @throws E_USAGE, E_CUDA_UNAVAILABLE
 */
export async function measuredChecks(invocation: Invocation): Promise<readonly QaCheck[]> {
  const { io, options } = invocation;
  const { ranks } = options;
  const asked = typeof ranks === "string" ? ranksIn(ranks) : undefined;
  const wanted = (options["transport"] ?? "auto") as MeasuredRequest["transport"];
  const chosen = await chooseTransport({ transport: wanted, ranks: asked }, io.env);
  return ops.map((op) => ({
    name: `${op} between ${chosen.ranks} ranks over ${chosen.transport}`,
    section,
    run: (world) => look(invocation, { op, ...chosen, topology: world.topology }),
  }));
}

async function look(
  invocation: Invocation,
  about: {
    readonly op: CollectiveOp;
    readonly transport: "tcp" | "nccl";
    readonly ranks: number;
    readonly topology: string;
  },
): Promise<QaFinding> {
  const { op, transport, ranks } = about;
  const measured = await measureHere(invocation, {
    op,
    transport,
    ranks,
    sizes,
    dtype: "f32",
    iterations: 5,
    topology: undefined,
    lose: undefined,
  });
  const topology = topologyOf(about.topology);
  const facts = measured.sizes.flatMap(({ bytes, timeUs, busbwGBps }) => [
    {
      name: `time of ${formatBytes(bytes)}`,
      value: timeUs,
      unit: "us",
      provenance: "measured",
    } as const,
    {
      name: `busbw of ${formatBytes(bytes)}`,
      value: busbwGBps,
      unit: "GB/s",
      provenance: "measured",
    } as const,
    ...(ranks < 2
      ? []
      : [
          {
            name: `time of ${formatBytes(bytes)} on ${topology.name}`,
            value: modelCollective({ op, bytes, devices: ranks, topology }).timeUs,
            unit: "us",
            provenance: "modelled",
          } as const,
        ]),
  ]);
  const bad = measured.sizes.find(({ wrong }) => wrong > 0);
  if (bad !== undefined) {
    return { status: "fail", reason: `${bad.wrong} elements are wrong: ${bad.firstWrong}.`, facts };
  }
  const told = measured.sizes.map(
    ({ bytes, timeUs }) => `${formatBytes(bytes)} in ${formatUs(timeUs)}`,
  );
  return {
    status: "pass",
    reason: `Every element is right; ${told.join(", ")} (measured).`,
    facts,
  };
}

function ranksIn(text: string): number {
  const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 1 && value <= ranksMax) return value;
  throw usageError("qa rack", `\`--ranks ${text}\` is not a whole number from 1 to ${ranksMax}`);
}
