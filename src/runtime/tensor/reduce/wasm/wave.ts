import type { Job, Operand, Step } from "../../kernels/index.ts";

/** Elements that are worked on at one time; each wave is finished before the next begins. */
export interface Wave {
  readonly start: number;
  readonly count: number;
}

/** Cuts elements into waves. */
export function wavesOf(elements: number, elementsMax: number): readonly Wave[] {
  const waves: Wave[] = [];
  for (let start = 0; start < elements; start += elementsMax) {
    waves.push({ start, count: Math.min(elementsMax, elements - start) });
  }
  return waves;
}

/** A chunk of a wave, or the same chunk of every turn of a repeat. */
export interface ChunkPlace {
  readonly count: number;
  /** Where the chunk begins, given where the wave begins and the size of an element. */
  at(waveStart: number, elementSize: number): Operand;
}

/** Chunks of a wave that follow each other. */
export interface ChunkRun {
  readonly first: number;
  readonly chunks: number;
}

/** All chunks of a wave, in runs of at most so many. */
export function allChunks(wave: Wave, chunk: number, runMax: number): readonly ChunkRun[] {
  const chunks = Math.ceil(wave.count / chunk);
  const runs: ChunkRun[] = [];
  for (let first = 0; first < chunks; first += runMax) {
    runs.push({ first, chunks: Math.min(runMax, chunks - first) });
  }
  return runs;
}

/** A program for each run: it repeats the steps for every whole chunk; a short one comes by itself. */
export function chunkPrograms(
  o: { readonly wave: Wave; readonly chunk: number; readonly runs: readonly ChunkRun[] },
  steps: (place: ChunkPlace) => readonly Step[],
): readonly Job["program"][] {
  const { wave, chunk } = o;
  const wholeChunks = Math.floor(wave.count / chunk);
  return o.runs.flatMap(({ first, chunks }) => {
    const programs: Job["program"][] = [];
    const count = Math.min(chunks, wholeChunks - first);
    if (count > 0) {
      const at = (waveStart: number, size: number): Operand => ({
        from: waveStart + first * chunk * size,
        by: [chunk * size],
      });
      programs.push([{ kind: "repeat", count, steps: steps({ count: chunk, at }) }]);
    }
    if (count < chunks) {
      const at = (waveStart: number, size: number) => waveStart + wholeChunks * chunk * size;
      programs.push(steps({ count: wave.count - wholeChunks * chunk, at }));
    }
    return programs;
  });
}
