import { describe, expect, it } from "vitest";
import { startTestApi } from "../../hardware/api/support.ts";
import { collections } from "../../support/fake-kube/index.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { runHw } from "./run-hw.ts";

const xid = ["hw", "inject", "xid", "--namespace", "prod", "--node", "gpu-1"];

describe("tessera hw inject", () => {
  it("does nothing unless it is told that it may", async () => {
    const api = await startTestApi();
    const { code, stderr } = await runHw([...xid, "--api-url", api.url], { user: "alice" });
    expect(code).toBe(2);
    expect(stderr).toContain("E_HW_DISABLED");
    expect(await api.book.list()).toEqual([]);
  });

  it("prints the fault and its end, which is its lease too", async () => {
    const api = await startTestApi();
    const line = [
      ...xid,
      "--xid",
      "48",
      "--gpu",
      "0000:3B:00",
      "--duration",
      "5m",
      "--name",
      "mine",
    ];
    const ran = runHw([...line, "--enable-hw-faults", "--api-url", api.url], { user: "alice" });
    await waitUntil("it is armed", () => api.fault("mine")?.status?.state === "armed");
    await api.book.injected("mine");
    const { code, stdout } = await ran;
    expect(code).toBe(0);
    expect(stdout).toContain("mine is injected on gpu-1/0000:3b:00");
    expect(stdout).toContain("at the latest");
    expect(api.fault("mine")?.spec).toMatchObject({
      leaseSeconds: 300,
      run: "mine",
      action: { lines: [{ xid: 48 }] },
    });
  });

  it("renews with --hold until it is stopped, and then takes everything back", async () => {
    const api = await startTestApi();
    const stop = new AbortController();
    const line = ["hw", "inject", "cuda", "--namespace", "prod", "--node", "gpu-1"];
    const ran = runHw(
      [
        ...line,
        "--deployment",
        "vllm",
        "--hold",
        "--lease",
        "3s",
        "--name",
        "held",
        "--enable-hw-faults",
        "--api-url",
        api.url,
      ],
      { user: "alice", signal: stop.signal },
    );
    await waitUntil("it is armed", () => api.fault("held")?.status?.state === "armed");
    const first = api.fault("held")?.status?.leaseUntil;
    await api.book.injected("held");
    await waitUntil("it is renewed", () => api.fault("held")?.status?.leaseUntil !== first);
    stop.abort(new Error("Ctrl-C"));
    const { code, stdout } = await ran;
    expect(code).toBe(0);
    expect(stdout).toContain("held is reverted");
    expect(api.fault("held")?.status?.state).toBe("reverted");
  });

  it("puts the shim into a workload, says that its pods are replaced, and takes it out again", async () => {
    const api = await startTestApi();
    const template = () =>
      JSON.stringify(api.kube.get(collections.deployments, "prod/vllm")?.["spec"]);
    const stop = new AbortController();
    let printed = "";
    const ran = runHw(
      [
        ...["hw", "inject", "passthrough", "--namespace", "prod", "--deployment", "vllm"],
        ...["--node", "gpu-2", "--hold", "--name", "shim", "--enable-hw-faults"],
        ...["--api-url", api.url],
      ],
      { user: "alice", signal: stop.signal, onOutput: (text) => (printed = text) },
    );
    await waitUntil("it is told", () => printed.includes("shim is injected"));
    expect(printed).toContain("are replaced by a roll-out, now and again when the fault ends");
    expect(api.fault("shim")?.spec).toMatchObject({
      leaseSeconds: 15,
      action: { kind: "passthrough", preferNode: "gpu-2", workload: { name: "vllm" } },
    });
    expect(template()).toContain("LD_PRELOAD");
    stop.abort(new Error("Ctrl-C"));
    expect(await ran).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("shim is reverted"),
    });
    expect(template()).not.toMatch(/LD_PRELOAD|tessera/);
  });

  it("asks for the shim without a node, for as long as it is told", async () => {
    const api = await startTestApi();
    const line = ["hw", "inject", "passthrough", "--namespace", "prod", "--deployment", "vllm"];
    const more = ["--duration", "1h", "--name", "shim", "--enable-hw-faults", "--api-url", api.url];
    expect((await runHw([...line, ...more], { user: "alice" })).code).toBe(0);
    const { leaseSeconds, action } = api.fault("shim")?.spec ?? {};
    expect(leaseSeconds).toBe(3600);
    expect(action).not.toHaveProperty("preferNode");
  });

  it.each([
    ["no namespace", ["hw", "inject", "xid", "--node", "gpu-1"], "--namespace"],
    ["neither node nor workload", ["hw", "inject", "xid", "--namespace", "prod"], "--node"],
    [
      "no workload for CUDA",
      ["hw", "inject", "cuda", "--namespace", "prod", "--node", "n"],
      "workload",
    ],
    [
      "no workload for the shim",
      ["hw", "inject", "passthrough", "--namespace", "prod"],
      "a passthrough needs a workload",
    ],
    [
      "a number for the shim",
      ["hw", "inject", "passthrough", "--namespace", "prod", "--deployment", "a", "--xid", "79"],
      "`--xid` says nothing about a fault of kind passthrough",
    ],
    ["calls for an XID", [...xid, "--after-calls", "3"], "`--after-calls` says nothing"],
    [
      "a sequence for CUDA",
      ["hw", "inject", "cuda", "--namespace", "prod", "--deployment", "a", "--sequence", "79-154"],
      "`--sequence` says nothing",
    ],
    ["a kind that is none", ["hw", "inject", "smoke", "--namespace", "prod"], "Allowed are"],
    ["two workloads", [...xid, "--deployment", "a", "--statefulset", "b"], "only one workload"],
    ["a GPU that is none", [...xid, "--gpu", "first"], "--gpu first"],
    ["an XID that is none", [...xid, "--xid", "seventy"], "--xid seventy"],
    ["both a number and a sequence", [...xid, "--xid", "79", "--sequence", "79-154"], "--sequence"],
    ["an end that is none", [...xid, "--duration", "soon"], "--duration soon"],
  ])("says what is wrong with %s", async (_, line, expected) => {
    const { code, stderr } = await runHw([...line, "--enable-hw-faults"], { user: "alice" });
    expect(code).toBe(2);
    expect(stderr).toContain(expected);
  });

  it("says that the API cannot be reached, and which token is missing", async () => {
    const { code, stderr } = await runHw(
      [...xid, "--enable-hw-faults", "--api-url", "http://127.0.0.1:1"],
      { user: "alice" },
    );
    expect(code).toBe(3);
    expect(stderr).toContain("E_HW_API_UNREACHABLE");
  });
});

describe("tessera hw plan", () => {
  const line = ["hw", "plan", "--namespace", "prod", "--node", "gpu-1", "--xid", "79"];

  it("prints the plan and changes nothing", async () => {
    const api = await startTestApi();
    const { code, stdout } = await runHw([...line, "--api-url", api.url], { user: "alice" });
    expect([code, stdout]).toEqual([0, "the plan\n"]);
    expect(await api.book.list()).toEqual([]);
    expect(api.kube.get(collections.nodes, "gpu-1")?.["spec"]).toEqual({});
  });

  it("ends with 1 when the guard refuses, and shows every finding as JSON", async () => {
    const api = await startTestApi();
    api.findings.push({ rule: "breaker", verdict: "refuse", reason: "it would trip" });
    const { code, stdout } = await runHw([...line, "--json", "--api-url", api.url], {
      user: "alice",
    });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      allowed: false,
      findings: [{}, { rule: "breaker" }],
    });
  });
});
