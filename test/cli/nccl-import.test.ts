import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir } from "../support/temp-dir.ts";
import { goodText } from "../validation/nccl/fixtures.ts";
import { runHere } from "./in-process.ts";

const fixtures = join(import.meta.dirname, "../fixtures/nccl");
const text = join(fixtures, "all-reduce-8-ranks-ib.txt");
const json = join(fixtures, "all-reduce-8-ranks.json");
const counters = [
  "--counters-before",
  join(fixtures, "counters-before.txt"),
  "--counters-after",
  join(fixtures, "counters-after.txt"),
];

async function fileWith(content: string): Promise<string> {
  const file = join(await tempDir(), "run.log");
  await writeFile(file, content);
  return file;
}

describe("tessera nccl import", () => {
  test("says what was measured and that the way is proved, and ends with 0", async () => {
    const { code, stdout, stderr } = await runHere(["nccl", "import", text, ...counters]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.split("\n")).toEqual([
      "all_reduce_perf on 8 ranks",
      "  busbw        46.4 GB/s (measured elsewhere, 2 samples)",
      "  latency_us   38.26 us (measured elsewhere, 2 samples)",
      "Proved: all data went through InfiniBand.",
      "",
    ]);
  });

  test("without counters says what is missing, and ends with 3 whatever the bandwidth", async () => {
    const { code, stdout } = await runHere(["nccl", "import", text]);
    expect(code).toBe(3);
    expect(stdout).toContain("these figures count for nothing");
    expect(stdout).toContain("  - the counters of the network cards were not read");
  });

  test("with --json prints one document for programs", async () => {
    const { code, stdout } = await runHere(["nccl", "import", json, text, ...counters, "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      path: "ib",
      outcome: "completed",
      refusals: [],
      hardFacts: [],
      figures: { busbw: { unit: "GB/s" }, latency_us: { unit: "us" } },
      facts: { worldSize: 8, proof: { channels: 2 } },
    });
    expect(stdout).not.toContain("not-for-anyone");
  });

  test("ends with 1 when values were wrong", async () => {
    const file = await fileWith(goodText.replace(/46.40 {7}0/, "46.40       4"));
    const { code, stdout } = await runHere(["nccl", "import", file, ...counters]);
    expect(code).toBe(1);
    expect(stdout).toContain("wrong: 4 wrong elements in a result of 17179869184 bytes");
  });

  test("takes a run over sockets for what it is", async () => {
    const sockets = goodText.replaceAll(/via NET\/IB\/\d\/GDRDMA/g, "via NET/Socket/0");
    const file = await fileWith(sockets);
    expect((await runHere(["nccl", "import", file, "--path", "socket"])).code).toBe(0);
    expect((await runHere(["nccl", "import", text, "--path", "socket"])).code).toBe(3);
  });

  test("holds the cards that are named to the counters", async () => {
    const named = ["--hcas", "mlx5_0, mlx5_3"];
    const { code, stdout } = await runHere(["nccl", "import", text, ...counters, ...named]);
    expect(code).toBe(3);
    expect(stdout).toContain("data went through mlx5_4, which is not one of the cards");
  });

  test("refuses files that are something else, and one listing of counters without the other", async () => {
    const poem = await fileWith("roses are red\n");
    const strange = await runHere(["nccl", "import", poem]);
    expect(strange).toMatchObject({ code: 2, stderr: expect.stringContaining("E_NCCL_OUTPUT") });
    const empty = ["--counters-before", poem, "--counters-after", poem];
    expect(await runHere(["nccl", "import", text, ...empty])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("it has no counter of a network card"),
    });
    expect(await runHere(["nccl", "import", text, ...counters.slice(0, 2)])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Give both --counters-before and --counters-after"),
    });
  });
});
