import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { auditLog, openStore } from "../../src/platform/store/index.ts";
import { VirtualClock } from "../../src/platform/time/virtual-clock.ts";
import { type History, openHistory } from "../../src/validation/history/index.ts";
import type { RunRecord } from "../../src/validation/run.ts";
import { tempDir } from "../support/temp-dir.ts";
import { hourMs, run, startMs } from "../validation/judge/records.ts";
import { runHere } from "./in-process.ts";

async function newStore(runs: readonly RunRecord[]) {
  const url = `sqlite:${join(await tempDir(), "t.db")}`;
  const within = async <T>(
    use: (history: History, db: Parameters<typeof auditLog.list>[0]) => Promise<T>,
  ) => {
    const store = await openStore({ url, clock: new VirtualClock() });
    try {
      return await use(openHistory(store), store.db);
    } finally {
      await store.close();
    }
  };
  await within((history) =>
    history.recordRuns(
      runs.flatMap(({ intent, result, verdict }) => {
        if (result === undefined) return [];
        const { origin, ...rest } = result;
        return [{ intent, result: rest, origin, ...(verdict === undefined ? {} : { verdict }) }];
      }),
    ),
  );
  const env = { TESSERA_STORE_URL: url, USER: "ann" };
  const cli = (...args: readonly string[]) => runHere(["node", ...args], { env });
  return { within, cli };
}

const failed = run({
  node: "gpu-017",
  verdict: { verdict: "fail", reason: "speed is 80 GB/s, below the floor of 90 GB/s." },
});
const passed = run({ node: "gpu-017", check: "other-test", atMs: startMs + hourMs, verdict: {} });

describe("tessera node show", () => {
  it("says what is known: the verdict of each check and why, runs, events", async () => {
    const { cli, within } = await newStore([failed, passed]);
    await within((history) =>
      history.recordNodeEvents([
        { cluster: "prod", node: "gpu-017", atMs: startMs + 1, kind: "busy", details: {} },
        {
          cluster: "prod",
          node: "gpu-017",
          atMs: startMs + 2,
          kind: "cordoned",
          details: { runIds: [failed.intent.id], reason: "It failed." },
        },
      ]),
    );
    const { code, stdout } = await cli("show", "gpu-017");
    expect(code).toBe(0);
    expect(stdout).toContain("gpu-017 of prod, gpu-x: fail\nspeed-test: speed is 80 GB/s");
    expect(stdout).toContain("Closed by us since 2026-06-01T00:00:00.002Z");
    expect(stdout).toContain("Busy when last seen to change");
    expect(stdout).toMatch(/pass +other-test/);
    expect(stdout).toContain(failed.intent.id);
    const told = JSON.parse((await cli("show", "gpu-017", "--json")).stdout) as object;
    expect(told).toMatchObject({
      cluster: "prod",
      verdict: "fail",
      runs: [{}, {}],
      events: [{}, {}],
    });
  });

  it("does not know a name nobody has tested, and offers one that is alike", async () => {
    const { cli } = await newStore([failed]);
    const { code, stderr } = await cli("show", "gpu-071");
    expect(code).toBe(2);
    expect(stderr).toContain("E_NODE_UNKNOWN");
    expect(stderr).toContain("gpu-017");
  });

  it("asks which cluster is meant when two have the node", async () => {
    const { cli } = await newStore([failed, run({ node: "gpu-017", cluster: "lab", verdict: {} })]);
    const { code, stderr } = await cli("show", "gpu-017");
    expect(code).toBe(2);
    expect(stderr).toContain("lab and prod each have a node gpu-017");
    expect((await cli("show", "gpu-017", "--cluster", "lab")).stdout).toContain(
      "of lab, gpu-x: pass",
    );
  });
});

describe("tessera node test", () => {
  it("writes down who wants which check and why, and says that guard rails still hold", async () => {
    const { cli, within } = await newStore([failed]);
    const args = ["test", "gpu-017", "--check", "speed-test", "--reason", "cable replaced"];
    const { code, stdout } = await cli(...args);
    expect(code).toBe(0);
    expect(stdout).toContain("gpu-017 of prod will be tested");
    expect(await within((history) => history.nodeEvents({ cluster: "prod" }))).toMatchObject([
      {
        kind: "override",
        node: "gpu-017",
        details: { action: "test", check: "speed-test", reason: "cable replaced", actor: "ann" },
      },
    ]);
    expect(await within((_, db) => auditLog.list(db))).toMatchObject([
      { action: "node.test", actor: "ann", subject: "prod/gpu-017" },
    ]);
    const again = JSON.parse((await cli(...args, "--json")).stdout) as object;
    expect(again).toMatchObject({ cluster: "prod", node: "gpu-017", action: "test" });
  });

  it("names no check when every one is wanted, and neither holds the node nor releases it", async () => {
    const { cli, within } = await newStore([failed]);
    expect((await cli("test", "gpu-017", "--reason", "new cable")).code).toBe(0);
    const [event] = await within((history) => history.nodeEvents({ cluster: "prod" }));
    expect(event?.details).toEqual({ action: "test", reason: "new cable", actor: "ann" });
    expect((await cli("show", "gpu-017")).stdout).toContain("Not closed by us.");
  });

  it("changes nothing without a reason, and nothing about a node that nobody knows", async () => {
    const { cli, within } = await newStore([failed]);
    const silent = await cli("test", "gpu-017");
    expect(silent.code).toBe(2);
    expect(silent.stderr).toContain("`--reason` is missing");
    const unknown = await cli("test", "gpu-071", "--reason", "new cable");
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain("E_NODE_UNKNOWN");
    expect(await within((history) => history.nodeEvents({ cluster: "prod" }))).toEqual([]);
  });
});

describe.each(["hold", "release"] as const)("tessera node %s", (action) => {
  it("writes down who wants it and why, after everything that is known", async () => {
    const { cli, within } = await newStore([failed, passed]);
    const { code, stdout } = await cli(action, "gpu-017", "--reason", "fan swap.");
    expect(code).toBe(0);
    expect(stdout).toContain(`gpu-017 of prod will be ${action === "hold" ? "closed" : "opened"}`);
    const events = await within((history) => history.nodeEvents({ cluster: "prod" }));
    expect(events).toMatchObject([
      { kind: "override", details: { action, reason: "fan swap", actor: "ann" } },
    ]);
    // The runs are ahead of this machine's clock, as those of a simulated fleet may be.
    expect(events[0]?.atMs).toBe(startMs + hourMs + 1);
    const audit = await within((_, db) => auditLog.list(db));
    expect(audit).toMatchObject([
      { action: `node.${action}`, actor: "ann", subject: "prod/gpu-017" },
    ]);
    expect((await cli("show", "gpu-017")).stdout).toContain(
      action === "hold" ? "Held by ann" : "Released by ann",
    );
  });

  it("needs a reason, and changes nothing without one", async () => {
    const { cli, within } = await newStore([failed]);
    const { code, stderr } = await cli(action, "gpu-017");
    expect(code).toBe(2);
    expect(stderr).toContain("`--reason` is missing");
    expect(await within((history) => history.nodeEvents({ cluster: "prod" }))).toEqual([]);
  });

  it("believes the cluster that is named, so that a new node can be held", async () => {
    const { cli } = await newStore([failed]);
    const args = [action, "brand-new", "--reason", "x"];
    expect((await cli(...args)).code).toBe(2);
    expect((await cli(...args, "--cluster", "prod")).code).toBe(0);
  });
});
