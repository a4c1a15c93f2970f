import { createNcclLogReader } from "../../../nccl/index.ts";

/** What carried the data between GPUs, as figures name it. */
export type NcclWay = "nvlink" | "pcie" | "p2p" | "shm" | "net" | "mixed" | "nccl";

export interface NcclWayReader {
  /** Takes one line of a rank's output or of NCCL's log. */
  add(line: string): void;
  way(): { readonly way: NcclWay /** As NCCL names them. */; readonly transports: string[] };
}

/**
 * `Pattern 4, crossNic 0, nChannels 12, …, type NVL/PIX, sameChannels 1`: pattern 4 is a ring; the first
 * type is what connects its GPUs, the second its network cards.
 */
const ringOf = /\bNCCL INFO Pattern 4, crossNic \d+, nChannels [1-9].*\btype (\w+)\/\w+/;
/** NVLink, and NVLink by way of another GPU. */
const nvlinkTypes: ReadonlySet<string> = new Set(["NVL", "NVB"]);

/**
 * Reads out of NCCL's log what its collectives went over. The log names peer access alike over NVLink
 * and PCI Express; which it is, the search for its rings says.
 */
export function createNcclWayReader(): NcclWayReader {
  const reader = createNcclLogReader();
  const types = new Set<string>();
  return {
    add: (line) => {
      const type = ringOf.exec(line)?.[1];
      if (type === undefined) reader.add(line);
      else types.add(type);
    },
    way: () => {
      const texts = reader.log().connections.map(({ path }) => path);
      const kinds = new Set(texts.map(({ transport }) => transport));
      const transports = [...new Set(texts.map(({ text }) => text))].toSorted().slice(0, 8);
      return { way: wayOf(kinds, types), transports };
    },
  };
}

function wayOf(kinds: ReadonlySet<string>, types: ReadonlySet<string>): NcclWay {
  const [kind, ...others] = kinds;
  if (kind === undefined) return "nccl";
  if (others.length > 0) return "mixed";
  if (kind === "SHM") return "shm";
  if (kind === "NET") return "net";
  if (kind !== "P2P") return "nccl";
  if (types.size === 0) return "p2p";
  return [...types].every((type) => nvlinkTypes.has(type)) ? "nvlink" : "pcie";
}
