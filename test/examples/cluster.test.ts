import { describe, expect, it } from "vitest";
import { runExample } from "./run-example.ts";

describe("the examples of the guide's chapter 4", () => {
  it("4.2: 128 nodes of 8 add up to 1024, with the same bits in three phases and in one", async () => {
    const { code, stdout, stderr } = await runExample(
      "examples/cluster/hierarchical-all-reduce.ts",
    );
    expect(stderr).toBe("");
    expect(stdout).toContain("128 × 8");
    expect(stdout).toContain("1024 times 1: [ 1024 ]");
    const [inPhases, flat] = stdout.match(/sha256:\w{64}/g) ?? [];
    expect(inPhases).toBeDefined();
    expect(inPhases).toBe(flat);
    expect(code).toBe(0);
  });

  it("4.4: a partition stops what crosses it, and only that", async () => {
    const { code, stdout, stderr } = await runExample("examples/cluster/network-partition.ts");
    expect(stderr).toBe("");
    expect(stdout).toContain("Gathering inside each node works.");
    expect(stdout).toContain(
      "Caught the injected partition: E_PARTITION: all-gather cannot get from",
    );
    expect(stdout).toContain("Healed, and complete: true");
    expect(code).toBe(0);
  });
});
