import { describe, expect, it } from "vitest";
import { createNcclWayReader } from "../../../../src/validation/checks/dl-unit/group/nccl-way.ts";

const head = "node7:4242:4250 [0] NCCL INFO";
const pattern = (type: string) =>
  `${head} Pattern 4, crossNic 0, nChannels 12, bw 40.000000/40.000000, type ${type}, sameChannels 1`;
const channel = (via: string, from = 0) => `${head} Channel 00/0 : ${from}[0] -> 1[1] via ${via}`;

function wayOf(...lines: string[]) {
  const reader = createNcclWayReader();
  for (const line of lines) reader.add(line);
  return reader.way();
}

describe("what NCCL used between GPUs", () => {
  it("is NVLink only where its search for rings says so", () => {
    const via = channel("P2P/CUMEM/read");
    expect(wayOf(pattern("NVL/PIX"), via)).toEqual({
      way: "nvlink",
      transports: ["P2P/CUMEM/read"],
    });
    expect(wayOf(pattern("PHB/PIX"), via).way).toBe("pcie");
    expect(wayOf(pattern("NVL/PIX"), pattern("SYS/PIX"), via).way).toBe("pcie");
    const trees = pattern("SYS/PIX").replace("Pattern 4", "Pattern 3");
    const notFound = pattern("SYS/PIX").replace("nChannels 12", "nChannels 0");
    expect(wayOf(trees, pattern("NVL/PIX"), notFound, via).way).toBe("nvlink");
    expect(wayOf(via).way).toBe("p2p");
  });

  it("is shared memory or the network where channels go there, whatever the GPUs have", () => {
    expect(wayOf(pattern("NVL/PIX"), channel("SHM/direct/direct")).way).toBe("shm");
    expect(wayOf(pattern("NVL/PIX"), channel("NET/Socket/0")).way).toBe("net");
    expect(wayOf(channel("SHM/direct/direct"), channel("P2P/IPC", 2)).way).toBe("mixed");
  });

  it("is not known without a log", () => {
    expect(wayOf("something else", `${head} NCCL version 2.27.7`)).toEqual({
      way: "nccl",
      transports: [],
    });
  });
});
