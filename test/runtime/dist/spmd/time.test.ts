import { describe, expect, it } from "vitest";
import { Mesh } from "../../../../src/runtime/dist/mesh/index.ts";
import { type Rank, spmd } from "../../../../src/runtime/dist/spmd/index.ts";
import { session } from "../../../../src/runtime/profile/index.ts";
import { zeros } from "../../../../src/runtime/tensor/index.ts";
import { line, values } from "./support.ts";

describe("virtual time", () => {
  it("passes while a rank works, and waits for the slowest of a group", async () => {
    const ends = await spmd(line(3), async (rank) => {
      rank.work(1000 * (rank.index + 1));
      await rank.barrier();
      return rank.nowUs;
    });
    expect(ends[0]).toBeGreaterThanOrEqual(3000);
    expect(new Set(ends).size).toBe(1);
  });

  it("does not pass twice for work that a rank does while an operation is under way", async () => {
    const program = (overlap: boolean) =>
      spmd(line(2), async (rank) => {
        const sum = rank.allReduce(zeros([1 << 16]));
        if (overlap) rank.work(5);
        await sum;
        if (!overlap) rank.work(5);
        return rank.nowUs;
      });
    const [overlapped = 0] = await program(true);
    const [oneByOne = 0] = await program(false);
    expect(overlapped).toBeGreaterThan(5);
    expect(oneByOne).toBeCloseTo(overlapped + 5, 6);
  });

  it("cannot go back", async () => {
    const run = spmd(line(1), (rank) => rank.work(-1));
    await expect(run).rejects.toMatchObject({ cause: { code: "E_COLLECTIVE" } });
  });

  it("shows the bubble of a pipeline", async () => {
    const [stages, batches, workUs] = [4, 8, 1_000_000];
    const forward = async (rank: Rank) => {
      for (let batch = 0; batch < batches; batch++) {
        if (rank.index > 0) await rank.recv(rank.index - 1);
        rank.work(workUs);
        if (rank.index < stages - 1) await rank.send(values(batch), rank.index + 1);
      }
      return rank.nowUs;
    };
    const ends = await spmd(line(stages), forward);
    const bubble = 1 - (batches * workUs) / Math.max(...ends);
    expect(bubble).toBeCloseTo((stages - 1) / (batches + stages - 1), 3);
  });
});

describe("a profile session around the programs", () => {
  it("sees each operation of each group once, with its bytes and its modelled time", async () => {
    const mesh = new Mesh({ axes: ["pp", "tp"], devices: 4, shape: [2, 2], topology: "hgx-h100" });
    using open = session();
    await spmd(mesh, async (rank) => {
      await rank.allReduce(zeros([1024]), { over: "tp" });
      if (rank.index < 2) await rank.send(zeros([16]), rank.index + 2);
      else await rank.recv(rank.index - 2);
    });
    const seen = open.records().map(({ op, bytes, devices }) => [op, bytes, devices]);
    expect(seen).toEqual([
      ["all-reduce", 4096, 2],
      ["all-reduce", 4096, 2],
      ["send-recv", 64, 2],
      ["send-recv", 64, 2],
    ]);
    for (const record of open.records()) {
      expect(record).toMatchObject({ source: "modelled", topology: "hgx-h100" });
      expect(record.timeUs).toBeGreaterThan(0);
    }
  });
});
