import { describe, expect, it } from "vitest";
import { runExample } from "./run-example.ts";

const path = "examples/stress/long-running.ts";

describe("the example of the guide's chapter 7", () => {
  it("7.2: multiplies 10,000 times in memory that does not grow, and says where", async () => {
    const { code, stdout, stderr } = await runExample(path);
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^10000 products of \d+ x \d+ in bf16 on (?:the cpu|cuda:0)$/m);
    const told = stdout.match(/^Iteration \d+, elapsed \d+\.\d\ds$/gm) ?? [];
    expect(told).toHaveLength(10);
    expect(told.at(-1)).toContain("Iteration 9000,");
    expect(stdout).toContain("memory did not grow");
    expect(code).toBe(0);
  });

  it("7.2: ends with a failure when memory grows", async () => {
    const leaking = (source: string) =>
      source
        .replaceAll("iterations = 10_000", "iterations = 40")
        .replace("work.product();", "kept.push(work.product(), new Uint8Array(2 ** 24).fill(1));")
        .replace("const iterations", "const kept: unknown[] = [];\nconst iterations")
        .replace("mayGrowBytes: 0", "mayGrowBytes: -1");
    const { code, stderr } = await runExample(path, leaking);
    expect(code).not.toBe(0);
    expect(stderr).toContain("Memory grew by");
  });
});
