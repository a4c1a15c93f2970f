import type { CopyStep, Job, Step } from "../threads/job.ts";
import { elementwiseKernels } from "./kernels.ts";
import type { ElementwiseWork, Operand } from "./work.ts";

// Two inputs and the result of a chunk stay in the second cache.
const chunkElements = 16_384;
const chunkBytes = 4 * chunkElements;
const jobElements = 16 * chunkElements;

/** Jobs of some chunks each; every thread copies a chunk in, computes, and copies the result out. */
export function elementwiseJobs(work: ElementwiseWork): readonly Job[] {
  const jobs: Job[] = [];
  for (let first = 0; first < work.count; first += jobElements) {
    const count = Math.min(jobElements, work.count - first);
    const whole = Math.floor(count / chunkElements);
    const rest = count - whole * chunkElements;
    const wholeSteps = chunkSteps(work, { first, elements: chunkElements, by: chunkBytes });
    const restFirst = first + whole * chunkElements;
    jobs.push({
      buffers: [...work.inputs, work.out].map(({ array }) => array.buffer),
      modules: [elementwiseKernels],
      memoryBytes: chunkBytes * (work.inputs.length + 1),
      program: [
        { kind: "repeat", count: whole, steps: wholeSteps },
        ...(rest === 0 ? [] : chunkSteps(work, { first: restFirst, elements: rest, by: 0 })),
      ],
    });
  }
  return jobs;
}

interface Chunk {
  readonly first: number;
  readonly elements: number;
  /** How far each turn of a repeat goes on, in bytes. */
  readonly by: number;
}

function chunkSteps(work: ElementwiseWork, chunk: Chunk): readonly Step[] {
  const outIndex = work.inputs.length;
  const addresses = [...work.inputs, work.out].map((_, index) => index * chunkBytes);
  // The vector at the end may reach into what an earlier chunk left; nobody reads that part.
  const vectorBytes = Math.ceil(chunk.elements / 4) * 16;
  const factor = work.operation === "scale" ? [work.factor] : [];
  return [
    ...work.inputs.map((operand, index) => copyOf("copyIn", { operand, index, chunk })),
    {
      kind: "call",
      module: elementwiseKernels.name,
      kernel: work.operation,
      args: [...addresses, vectorBytes, ...factor],
    },
    copyOf("copyOut", { operand: work.out, index: outIndex, chunk }),
  ];
}

function copyOf(
  kind: CopyStep["kind"],
  o: { readonly operand: Operand; readonly index: number; readonly chunk: Chunk },
): CopyStep {
  const { operand, index, chunk } = o;
  return {
    kind,
    buffer: index,
    start: { from: operand.array.byteOffset + 4 * (operand.start + chunk.first), by: [chunk.by] },
    address: index * chunkBytes,
    sizeBytes: 4 * chunk.elements,
  };
}
