import { rankValues } from "../../runtime/ranks/index.ts";
import type {
  CollectiveInput,
  CollectiveMeasurement,
} from "../../runtime/ranks/tasks/collective.ts";
import { rankLauncherOf } from "../agent/rank-launcher.ts";
import type { Invocation } from "../invocation.ts";
import type { MeasuredRequest } from "./measured-request.ts";
import { collectiveUsage } from "./usage.ts";

const timeoutMs = 3_600_000;
/** A size takes less than this, even the largest on a busy host. */
export const silenceMs = 600_000;
const tcpRanksDefault = 2;

/** A measurement, and what it was made with. */
export interface Measured extends CollectiveMeasurement {
  readonly ranks: number;
  readonly transport: "tcp" | "nccl";
  /** How many nodes of a cluster they were on; absent: all on this host. */
  readonly nodes?: number;
}

/** Told of each size as soon as it is known. */
export type OnSize = (about: { readonly bytes: number; readonly timeUs: number }) => void;

/** What rank 0 reports reaches the one who waits. */
export function onReportOf(onSize: OnSize): (rank: number, report: unknown) => void {
  return (rank, report) => {
    if (rank === 0) onSize(report as { bytes: number; timeUs: number });
  };
}

/** What the ranks are told. */
export function inputOf(
  { op, sizes, dtype, iterations, lose }: Omit<MeasuredRequest, "ranks" | "transport" | "topology">,
  transport: "tcp" | "nccl",
): CollectiveInput {
  const lost = lose === undefined ? {} : { lose };
  return { op, sizes: [...sizes], dtype, iterations, transport, ...lost };
}

/**
 * Starts the ranks on this host and measures.
 *
 * @throws E_RANK_LOST and what the ranks could not do; E_USAGE when there are not enough GPUs.
 */
export async function measureHere(
  invocation: Pick<Invocation, "clock" | "io" | "signal">,
  request: MeasuredRequest,
  onSize: OnSize = () => {},
): Promise<Measured> {
  const { transport, ranks } = await chooseTransport(request, invocation.io.env);
  if (request.lose !== undefined && request.lose >= ranks) {
    throw collectiveUsage(`--lose names a rank from 0 to ${ranks - 1}, not ${request.lose}.`);
  }
  const outcomes = await rankLauncherOf(invocation)({
    task: "collective",
    worldSize: ranks,
    input: inputOf(request, transport),
    signal: invocation.signal,
    timeoutMs,
    silenceMs,
    onReport: onReportOf(onSize),
  });
  const [first] = rankValues(outcomes);
  // All ranks run this very program, and hand in the same sizes.
  return { ...(first as CollectiveMeasurement), ranks, transport };
}

/** What to measure over: GPUs where there are any, else TCP. @throws E_USAGE, E_CUDA_UNAVAILABLE */
export async function chooseTransport(
  { transport, ranks }: Pick<MeasuredRequest, "transport" | "ranks">,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly transport: "tcp" | "nccl"; readonly ranks: number }> {
  if (transport === "tcp") return { transport, ranks: ranks ?? tcpRanksDefault };
  const { cudaAvailable } = await import("../../runtime/cuda/index.ts");
  const found = cudaAvailable({ env });
  if (transport === "auto" && (!found.available || (ranks ?? 1) > found.count)) {
    return { transport: "tcp", ranks: ranks ?? tcpRanksDefault };
  }
  if (!found.available) {
    const { TesseraError } = await import("../../platform/errors/index.ts");
    throw new TesseraError("E_CUDA_UNAVAILABLE", { reason: found.reason });
  }
  if (ranks !== undefined && ranks > found.count) {
    throw collectiveUsage(
      `--transport nccl has one rank for each GPU: ${found.count} here, not ${ranks}.`,
    );
  }
  return { transport: "nccl", ranks: ranks ?? found.count };
}
