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

  it("4.3: a job that was saved goes on as if nothing had happened, on fewer devices too", async () => {
    const { code, stdout, stderr } = await runExample("examples/cluster/checkpoint-restart.ts");
    expect(stderr).toBe("");
    expect(stdout).toContain("Saved and loaded: the weights have the same bits.");
    expect(stdout).toContain("Restarted on 8 devices again: equal.");
    expect(stdout).toContain("Restarted on 4 devices: equal. The world size changed from 8 to 4");
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

  it("4.5: healthy devices agree, and one that flips a bit is found and named", async () => {
    const { code, stdout, stderr } = await runExample("examples/cluster/silent-corruption.ts");
    expect(stderr).toBe("");
    expect(stdout).toContain("Healthy devices agree, bit for bit.");
    expect(stdout).toContain("1 ULP apart");
    expect(stdout).toContain("device 5 is outvoted");
    expect(code).toBe(0);
  });

  it("4.6: strong and weak scaling to 1024 devices, each with what limits it", async () => {
    const { code, stdout, stderr } = await runExample("examples/cluster/scaling.ts");
    expect(stderr).toBe("");
    const [strong, weak] = [/strong: (\d+) % .*1024/, /weak: (\d+) % .*1024/].map((pattern) =>
      Number(pattern.exec(stdout)?.[1]),
    );
    expect(strong).toBeGreaterThan(0);
    expect(weak).toBeGreaterThan(strong ?? 100);
    expect(stdout).toContain("-bound: ");
    expect(stdout).toContain("my runs: The serial share stays the same");
    expect(code).toBe(0);
  });
});
