import { freemem } from "node:os";
import type { Clock } from "../../../platform/time/clock.ts";
import { formatBytes } from "../../../platform/units/index.ts";
import type { Corruption, Mismatch, StressEngine } from "../engine.ts";
import { flipBit } from "../flip-bit.ts";
import { createStepEngine } from "../step-engine.ts";
import { processorFacts, processorsName } from "./host-name.ts";
import { createPatternWalker, patternCount, patternOf } from "./memory-patterns.ts";

const chunkBytesMax = 16 * 2 ** 20;
// The rest of the machine goes on living beside a run nobody gave a size.
const shareOfFree = 0.25;
const bytesDefaultMax = 8 * 2 ** 30;

export interface CpuMemoryOptions {
  readonly clock: Clock;
  /** How much memory is held and walked. @default a quarter of what is free, 8 GiB at most */
  readonly sizeBytes?: number;
  /** @default true */
  readonly verify?: boolean;
  readonly corrupt?: Corruption;
}

/**
 * Holds memory and walks it: an iteration verifies that a stretch still holds what the pass before
 * wrote, and writes what is next. Every stretch has one chunk of each pattern, so that iterations
 * can be compared with each other; what is written stays for a whole pass before it is looked at.
 */
export function createCpuMemory(options: CpuMemoryOptions): StressEngine {
  const { clock, verify = true, corrupt } = options;
  const free = Math.min(bytesDefaultMax, shareOfFree * freemem());
  const wantedWords = Math.floor((options.sizeBytes ?? free) / 4);
  const chunkWords = Math.max(
    1,
    Math.min(chunkBytesMax / 4, Math.floor(wantedWords / patternCount)),
  );
  const stretchWords = chunkWords * patternCount;
  const stretches = Math.max(1, Math.floor(wantedWords / stretchWords));
  const walk = createWalk({ chunkWords, stretches, verify });
  const bytes = 4 * stretches * stretchWords;
  const how = verify ? "each word verified a pass later" : "none verified";
  return createStepEngine(
    {
      device: "cpu",
      deviceName: processorsName(),
      description: `patterns through ${formatBytes(bytes)} of memory, ${how}`,
      work: {
        iteration: "stretch",
        amount: ((verify ? 2 : 1) * 4 * stretchWords) / 1e9,
        unit: "GB",
      },
      verifies: verify,
      facts: { memoryBytes: bytes, stretchBytes: 4 * stretchWords, ...processorFacts() },
      step: (iteration) =>
        walk.step(iteration, corrupt?.iteration === iteration ? corrupt.bit : undefined),
      close: async () => walk.release(),
    },
    clock,
  );
}

function createWalk(o: {
  readonly chunkWords: number;
  readonly stretches: number;
  readonly verify: boolean;
}) {
  const { chunkWords, stretches, verify } = o;
  const walker = createPatternWalker();
  let chunks = Array.from({ length: stretches * patternCount }, (_, index) => {
    const words = new Uint32Array(chunkWords);
    walker.write(words, patternOf(index), index * chunkWords);
    return words;
  });
  return {
    release: () => {
      chunks = [];
    },
    step: (iteration: number, flip?: number): readonly Mismatch[] => {
      const first = (iteration % stretches) * patternCount;
      const pass = Math.floor(iteration / stretches);
      const told: Mismatch[] = [];
      for (const [nth, words] of chunks.slice(first, first + patternCount).entries()) {
        const index = first + nth;
        const start = index * chunkWords;
        if (nth === 0 && flip !== undefined) flipBit(new Uint8Array(words.buffer), flip);
        const old = patternOf(index + pass);
        const seen = verify ? walker.verify(words, old, start) : { wrong: 0 };
        walker.write(words, patternOf(index + pass + 1), start);
        if (seen.first === undefined) continue;
        const { place, found, expected } = seen.first;
        const detail = `${hex(found)} instead of ${hex(expected)} of pattern ${old.name}, ${seen.wrong} wrong in all`;
        told.push({ iteration, place: `word ${place}`, detail });
      }
      return told.slice(0, 1);
    },
  };
}

function hex(word: number): string {
  return `0x${word.toString(16).padStart(8, "0")}`;
}
