import type { Problem } from "../verify/style.ts";
import type { DlCase } from "./case.ts";

/** More than enough for the largest GPU; on a host a little, which is not what is under test. */
const cudaBytesMax = 2 ** 40;
const cpuBytesMax = 16 * 2 ** 20;

/** Patterns written over nearly all memory and read back. */
export const memoryCase: DlCase = {
  name: "memory",
  title: "Walk through device memory with patterns",
  styles: ["exact"],
  plan: ({ engine, profile, scale }) => {
    const bytesMax = engine === "cuda" ? cudaBytesMax : cpuBytesMax;
    const rounds = profile === "quick" ? 1 : 3;
    return {
      name: "memory",
      key: "memory",
      styles: ["exact"],
      unsupported: () => undefined,
      run: async (bench) => {
        const { corruption, signal } = bench;
        const walk = await bench.engine.walkMemory({
          share: engine === "cuda" ? 0.93 : 0.05,
          bytesMax: Math.max(2 ** 20, Math.round(bytesMax * Math.min(1, scale ** 2))),
          rounds,
          seed: 1,
          signal,
          ...(corruption === undefined ? {} : { flip: { bit: corruption.bit } }),
        });
        const problems = walk.mismatches.map(({ pattern, wrong, first }): Problem => {
          const text = `${wrong} words of memory do not hold the pattern ${pattern} that was written; the first is ${first}`;
          return { style: "exact", text };
        });
        const samples = walk.gbps;
        return {
          problems,
          digests: {},
          figures: {
            [engine === "cuda" ? "hbm_gbps" : "memory_gbps"]: {
              samples,
              unit: "GB/s",
              higherIsBetter: true,
            },
          },
          facts: { bytes: walk.bytes, share: walk.bytes / walk.totalBytes },
        };
      },
    };
  },
};
