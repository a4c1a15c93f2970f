import { describe, expect, it } from "vitest";
import { hwTestCommand } from "../../../src/cli/commands/hw-test.ts";
import { parseRequest, readTestFlags } from "../../../src/cli/hw/test/request.ts";
import { runHere } from "../in-process.ts";

const table = { specs: [hwTestCommand], groups: { hw: "break hardware" } };
const whole = { namespace: "shop", deployment: "server" };

describe("the flags of tessera hw test", () => {
  it("say what to test and how", () => {
    expect(
      readTestFlags({
        ...whole,
        xid: "48",
        request: "pod:8000/health",
        baseline: "5s",
        detectorTimeout: "1m",
        duration: "10m",
        lease: "20s",
        minSuccess: "0.95",
        allowRealReboot: true,
      }),
    ).toEqual({
      namespace: "shop",
      workload: { kind: "deployment", name: "server" },
      enableHwFaults: true,
      xid: 48,
      request: { podPort: 8000, path: "/health" },
      baselineMs: 5000,
      detectorTimeoutMs: 60_000,
      durationSeconds: 600,
      leaseSeconds: 20,
      bounds: { successAfterMin: 0.95 },
      allowRealReboot: true,
    });
  });

  it.each([
    ["pod:8000", { podPort: 8000, path: "/" }],
    ["service:web:80/v1/models", { service: "web", port: "80", path: "/v1/models" }],
    ["http://127.0.0.1:8000/health", { url: "http://127.0.0.1:8000/health" }],
  ])("take %s for a way to ask the service", (text, request) => {
    expect(parseRequest(text)).toEqual(request);
  });

  it.each(["pod:", "web:80", "service:web", "ftp://x"])("refuse to ask by %s", (text) => {
    expect(() => parseRequest(text)).toThrow(/is none of/);
  });

  it.each([
    [{ deployment: "server" }, "--namespace"],
    [{ namespace: "shop" }, "the workload is missing"],
    [{ ...whole, statefulset: "other" }, "only one workload"],
    [{ ...whole, xid: "0" }, "--xid 0"],
    [{ ...whole, xid: "79", sequence: "79-154" }, "exclude each other"],
    [{ ...whole, detectorTimeout: "soon" }, "--detector-timeout soon"],
    [{ ...whole, minSuccess: "2" }, "--min-success 2"],
  ])("refuse %j", (options, problem) => {
    expect(() => readTestFlags(options)).toThrow(problem);
  });
});

describe("tessera hw test", () => {
  const flags = ["hw", "test", "--namespace", "shop", "--deployment", "server"];

  it("breaks nothing unless it is told to", async () => {
    const { code, stderr } = await runHere(flags, { table });
    expect(stderr).toContain("E_HW_DISABLED");
    expect(code).toBe(2);
  });

  it("says that the API cannot be reached, and has broken nothing", async () => {
    const args = [...flags, "--enable-hw-faults", "--api-url", "http://127.0.0.1:1"];
    const { code, stderr } = await runHere(args, { table });
    expect(stderr).toMatch(/E_KUBE|E_HW/);
    expect(code).not.toBe(0);
  });
});
