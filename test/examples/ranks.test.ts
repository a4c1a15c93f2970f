import { describe, expect, it } from "vitest";
import { runExample } from "./run-example.ts";

const path = "examples/ranks/all-reduce.ts";

describe("the example of ranks", () => {
  it("three processes meet, and all have the sum of what each brought", async () => {
    const { code, stdout, stderr } = await runExample(path);
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^rank 0: the sum over (?:TCP|NCCL) is \[\[6,6\],\[6,6\]\]$/m);
    expect(stdout).toContain("All 3 ranks have the same bits.");
    expect(code).toBe(0);
  });

  it("a rank that dies is named", async () => {
    const { code, stdout, stderr } = await runExample(path, (source) =>
      source.replace("const sum =", 'if (rank === 2) process.kill(process.pid, "SIGKILL");\n$&'),
    );
    expect(stderr).toContain("Rank 2 did not come to its end: it was killed by SIGKILL");
    expect(stdout).not.toContain("the sum");
    expect(code).not.toBe(0);
  });
});
