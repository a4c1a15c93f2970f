import type { Job, Step } from "../threads/job.ts";
import { areas, blocking } from "./blocking.ts";
import { matmulKernels } from "./kernels.ts";
import type { MatmulProblem } from "./problem.ts";

/** A rectangle of results. */
interface Block {
  readonly row: number;
  readonly rows: number;
  readonly column: number;
  readonly columns: number;
}

const { tileRows, tileColumns, blockRows, blockColumns, blockDepth } = blocking;
const buffers = { a: 0, b: 1, out: 2 };
// A thread that ends early finds another job.
const jobsPerThread = 2;

/** One job for each block of results. */
export function matmulJobs(problem: MatmulProblem, threads: number): readonly Job[] {
  const { m, n } = problem;
  const evenRows = Math.ceil(m / (threads * jobsPerThread) / tileRows) * tileRows;
  const rowsMax = threads === 1 ? blockRows : Math.min(blockRows, Math.max(evenRows, 8 * tileRows));
  const jobs: Job[] = [];
  for (let column = 0; column < n; column += blockColumns) {
    for (let row = 0; row < m; row += rowsMax) {
      const rows = Math.min(rowsMax, m - row);
      jobs.push(jobOf(problem, { row, rows, column, columns: Math.min(blockColumns, n - column) }));
    }
  }
  return jobs;
}

function jobOf(problem: MatmulProblem, block: Block): Job {
  const { out, outStart, k, n } = problem;
  const wholeBlocks = Math.floor(k / blockDepth);
  const rest = k % blockDepth;
  // Tiles at the edges also add to rows that nobody asked for.
  const usedBytes = 4 * blockColumns * Math.ceil(block.rows / tileRows) * tileRows;
  const start = out.byteOffset + 4 * (outStart + block.row * n + block.column);
  const steps: Step[] = [
    callOf("clear", [areas.c, usedBytes]),
    {
      kind: "repeat",
      count: wholeBlocks,
      steps: depthSteps(problem, block, { first: 0, depth: blockDepth, by: blockDepth }),
    },
    ...(rest === 0
      ? []
      : depthSteps(problem, block, { first: wholeBlocks * blockDepth, depth: rest, by: 0 })),
    callOf("finish", [areas.c, usedBytes]),
    {
      kind: "copyOut",
      buffer: buffers.out,
      start,
      address: areas.c,
      sizeBytes: 4 * block.columns,
      rows: { count: block.rows, bufferStride: 4 * n, addressStride: 4 * blockColumns },
    },
  ];
  return {
    buffers: [problem.a.buffer, problem.b.buffer, out.buffer],
    modules: [matmulKernels],
    memoryBytes: areas.end,
    program: steps,
  };
}

/** Adds the products of a range of depths; each turn of a repeat goes `by` depths further. */
function depthSteps(
  { a, aStart, b, bStart, k, n }: MatmulProblem,
  block: Block,
  o: { readonly first: number; readonly depth: number; readonly by: number },
): readonly Step[] {
  const aFrom = a.byteOffset + 4 * (aStart + block.row * k + o.first);
  const bFrom = b.byteOffset + 4 * (bStart + o.first * n + block.column);
  const tiles = Math.ceil(block.rows / tileRows);
  const panels = Math.ceil(block.columns / tileColumns);
  return [
    {
      kind: "copyIn",
      buffer: buffers.a,
      start: { from: aFrom, by: [4 * o.by] },
      address: areas.a,
      sizeBytes: 4 * o.depth,
      rows: { count: block.rows, bufferStride: 4 * k, addressStride: 4 * blockDepth },
    },
    {
      kind: "copyIn",
      buffer: buffers.b,
      start: { from: bFrom, by: [4 * o.by * n] },
      address: areas.rows,
      sizeBytes: 4 * block.columns,
      rows: { count: o.depth, bufferStride: 4 * n, addressStride: 4 * blockColumns },
    },
    callOf("pack", [areas.rows, areas.panels, o.depth, panels]),
    callOf("block", [areas.a, areas.panels, areas.c, o.depth, tiles, panels]),
  ];
}

function callOf(kernel: string, args: readonly number[]): Step {
  return { kind: "call", module: matmulKernels.name, kernel, args };
}
