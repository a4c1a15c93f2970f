import { describe, expect, it } from "vitest";
import { runExample } from "./run-example.ts";

describe("the examples of the guide's chapter 3", () => {
  it("3.2: 72 devices are 6 x 6 x 2, and 1000 rows over 6 are valid though uneven", async () => {
    const { code, stdout, stderr } = await runExample("examples/rack/mesh-layout.ts");
    expect(stderr).toBe("");
    expect(stdout).toContain("6 × 6 × 2");
    expect(stdout).toContain("rank 0 holds 167 x 167");
    expect(stdout).toContain("rank 71 holds 165 x 165");
    expect(stdout).toContain("The sharding is valid.");
    expect(code).toBe(0);
  });

  it("3.3: the sum of 72 ones is 72, and no order changes the bits of a sum", async () => {
    const { code, stdout, stderr } = await runExample("examples/rack/deterministic-all-reduce.ts");
    expect(stderr).toBe("");
    expect(stdout).toContain("72 times 1: [ 72 ]");
    const [exact, reordered, ring] = stdout.match(/sha256:\w{64}/g) ?? [];
    expect(exact).toBe(reordered);
    expect(exact).not.toBe(ring);
    expect(code).toBe(0);
  });

  it("3.4: 64 MiB over a rack take what a rack takes, and the report says that it is a model", async () => {
    const { code, stdout, stderr } = await runExample("examples/rack/bandwidth.ts");
    expect(stderr).toBe("");
    const [header, , row] = stdout.split("\n").map((text) => text.split("|").map((x) => x.trim()));
    expect(header?.slice(0, 5)).toEqual([
      "Op",
      "Latency(ms)",
      "FLOPs(G)",
      "Bandwidth(GB/s)",
      "Efficiency(%)",
    ]);
    expect(row?.[0]).toBe("all-reduce");
    expect(Number(row?.[1])).toBeGreaterThan(0.3);
    expect(Number(row?.[1])).toBeLessThan(0.4);
    expect(row).toContain("67108864");
    expect(row?.at(-1)).toBe("modelled");
    expect(code).toBe(0);
  });

  it("3.5: a lost device is an error that names it, and the others go on without it", async () => {
    const { code, stdout, stderr } = await runExample("examples/rack/lost-device.ts");
    expect(stderr).toBe("");
    expect(stdout).toContain(
      "Caught the injected failure: E_DEVICE_LOST: all-reduce lost device 5",
    );
    expect(stdout).toContain("With all devices again: 72");
    expect(stdout).toContain("Without device 5: 71");
    expect(code).toBe(0);
  });

  it("end with a failure when what they show does not hold", async () => {
    const withoutFault = (source: string) =>
      source.replace("using _ = fault.inject({ dropDevice: 5 });", "");
    const { code, stderr } = await runExample("examples/rack/lost-device.ts", withoutFault);
    expect(code).not.toBe(0);
    expect(stderr).toContain("The lost device went unnoticed.");
  });
});
