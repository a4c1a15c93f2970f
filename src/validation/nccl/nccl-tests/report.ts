import type { CollectiveOp } from "../../../runtime/dist/time-model/types.ts";

/** How a collective was timed at one size, in one of its two ways. */
export interface NcclTestsMeasure {
  readonly timeUs: number;
  /** In 10^9 bytes a second, as written. */
  readonly algbwGBps: number;
  readonly busbwGBps: number;
  /** Elements that differ from what they must be; undefined when they were not compared. */
  readonly wrong: number | undefined;
  /** The time of each iteration, where it was kept; the warm-up that was asked for is left out. */
  readonly timesUs?: readonly number[];
}

export interface NcclTestsRow {
  readonly sizeBytes: number;
  readonly type: string;
  readonly reduction: string;
  readonly outOfPlace: NcclTestsMeasure | undefined;
  readonly inPlace: NcclTestsMeasure | undefined;
}

/** What one of the nccl-tests programs measured. */
export interface NcclTestsReport {
  readonly format: "text" | "json";
  /** `all_reduce_perf`; undefined where old versions do not say. */
  readonly program: string | undefined;
  readonly ncclVersion: string | undefined;
  /** Undefined when the output does not list the ranks. */
  readonly worldSize: number | undefined;
  readonly hosts: readonly string[];
  readonly gpus: readonly string[];
  readonly rows: readonly NcclTestsRow[];
  /** Wrong elements over all sizes as the end says; undefined when there is no end. */
  readonly outOfBounds: number | undefined;
  /** NCCL's variables, where they were kept. No others: some are secrets. */
  readonly variables: Readonly<Record<string, string>>;
  /** Why it does not hold a whole run, one sentence each. */
  readonly problems: readonly string[];
}

/** Rows of a table; a sweep over all powers of two has 35. */
export const rowsMax = 10_000;

const opsByProgram: Readonly<Record<string, CollectiveOp>> = {
  all_reduce_perf: "all-reduce",
  reduce_scatter_perf: "reduce-scatter",
  all_gather_perf: "all-gather",
  alltoall_perf: "all-to-all",
  broadcast_perf: "broadcast",
  reduce_perf: "reduce",
  gather_perf: "gather",
  scatter_perf: "scatter",
  sendrecv_perf: "send-recv",
};

/** The collective that a program of nccl-tests times; undefined for those that have no model here. */
export function opOfProgram(program: string | undefined): CollectiveOp | undefined {
  const name = (program ?? "").split("/").at(-1) ?? "";
  return opsByProgram[name.replace(/_mpi$/, "")];
}

/** `22807` is 2.28.7. */
export function versionOfCode(code: number): string {
  const [per, rest] = code >= 10_000 ? [10_000, code % 10_000] : [1000, code % 1000];
  return `${Math.floor(code / per)}.${Math.floor(rest / 100)}.${rest % 100}`;
}
