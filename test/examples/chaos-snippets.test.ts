import { describe, expect, it } from "vitest";
import { runExample } from "./run-example.ts";

describe("the examples of the guide's chapter 7", () => {
  it("7.3: a killed device is caught, named, and not taken for a recovery", async () => {
    const { code, stdout, stderr } = await runExample(
      "examples/chaos-snippets/injected-failure.ts",
    );
    expect(stderr).toBe("");
    expect(stdout).toContain("Caught the chaos event: E_DEVICE_LOST: matmul lost device 0");
    expect(stdout).toContain("kill_device on device 0: not recovered; matmul failed");
    expect(stdout).toContain("Afterwards: 64 x 64");
    expect(stdout).toContain("network_latency: slowed");
    expect(stdout).toContain("ecc_error: device 3 (rank 3): CUDA_ERROR_CONTAINED");
    expect(stdout).toMatch(/drop_collective: \d+ of 50/);
    expect(code).toBe(0);
  });

  it("7.3: a fault that nothing meets is a failure of the test", async () => {
    const elsewhere = (source: string) => source.replace("target: 0", "target: 99");
    const { code, stderr } = await runExample(
      "examples/chaos-snippets/injected-failure.ts",
      elsewhere,
    );
    expect(code).not.toBe(0);
    expect(stderr).toContain("The fault was not exercised");
  });

  it("7.4: the job comes back from each failure with the result of a run without one", async () => {
    const { code, stdout, stderr } = await runExample("examples/chaos-snippets/proven-recovery.ts");
    expect(stderr).toBe("");
    for (const fault of ["partition", "fail_stage", "restart_worker"]) {
      expect(stdout).toMatch(new RegExp(`^${fault} on .*: recovered; `, "m"));
    }
    expect(code).toBe(0);
  });

  it("7.4: a job that loses a step on the way back is not recovered", async () => {
    const losesAStep = (source: string) =>
      source.replace("(state?.step ?? 0) + 1", "(state?.step ?? -1) + 2");
    const { code, stderr } = await runExample(
      "examples/chaos-snippets/proven-recovery.ts",
      losesAStep,
    );
    expect(code).not.toBe(0);
    expect(stderr).toContain("was not recovered from");
  });

  it("7.5: the five metrics are measured, and the job holds their gates", async () => {
    const { code, stdout, stderr } = await runExample("examples/chaos-snippets/five-metrics.ts");
    expect(stderr).toBe("");
    for (const name of [
      "throughput stability",
      "failure recovery time, s",
      "checkpoint rollback success rate",
      "memory fragmentation",
      "deadlock and livelock incidents",
    ]) {
      expect(stdout).toMatch(new RegExp(`^${name} +\\d+\\.\\d{3} \\(simulated\\)$`, "m"));
    }
    expect(stdout).toMatch(/^pass: Recovered from kill_device on rank 1/m);
    expect(code).toBe(0);
  });

  it("7.5: a job that takes longer to recover than its gate allows does not pass", async () => {
    const strict = (source: string) =>
      source.replace("recoverySeconds <= 10", "recoverySeconds <= 1");
    const { code, stdout, stderr } = await runExample(
      "examples/chaos-snippets/five-metrics.ts",
      strict,
    );
    expect(code).not.toBe(0);
    expect(stdout).toMatch(/^fail: The metric recoverySeconds is .*; at most 1 is wanted\.$/m);
    expect(stderr).toContain("does not hold its gates");
  });
});
