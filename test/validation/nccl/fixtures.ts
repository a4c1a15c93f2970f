import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type HcaPort, parseHcaListing } from "../../../src/validation/nccl/index.ts";

const folder = join(import.meta.dirname, "../../fixtures/nccl");

/** A file in the format of real output, with figures of our own. */
export function fixture(name: string): string {
  return readFileSync(join(folder, name), "utf8");
}

/** nccl-tests on 8 GPUs with NCCL's log among it: every channel through InfiniBand. */
export const goodText = fixture("all-reduce-8-ranks-ib.txt");
export const goodJson = fixture("all-reduce-8-ranks.json");
export const before = parseHcaListing(fixture("counters-before.txt"));
export const after = parseHcaListing(fixture("counters-after.txt"));
export const cards = after.map(({ hca }) => hca);

/** The same ports with one counter of one card changed by so much. */
export function changed(
  ports: readonly HcaPort[],
  { hca, counter, by }: { readonly hca: string; readonly counter: string; readonly by: bigint },
): readonly HcaPort[] {
  return ports.map((port) =>
    port.hca === hca
      ? {
          ...port,
          counters: { ...port.counters, [counter]: (port.counters[counter] ?? 0n) + by },
        }
      : port,
  );
}
