import { describe, expect, test } from "vitest";
import {
  type ExperimentEventsView,
  experimentDetailSchema,
  experimentEventsSchema,
  experimentListSchema,
  experimentPlanSchema,
  presetListSchema,
} from "../../../src/control/api/experiments.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { childrenOf } from "./children.ts";
import { example, experimentProgram, frozenText, longText } from "./support.ts";

const program = experimentProgram();
const path = "/api/v1/experiments";

describe("an experiment that is started", () => {
  test("runs to its verdict, with all that the report needs", async () => {
    await using plane = await program.plane();
    const row = await plane.start(await example("kill-gpu"));
    expect(row).toMatchObject({
      title: "Kill a GPU in the middle of a job",
      world: "sim",
      faults: ["kill_device"],
      startedBy: "first-admin",
      provenance: "simulated",
    });
    const detail = await plane.ended(row.id);
    expect(experimentDetailSchema.safeParse(detail).error).toBeUndefined();
    expect(detail).toMatchObject({ state: "finished", outcome: "pass", residualFaults: [] });
    expect(detail.injections[0]).toMatchObject({ fault: "kill_device", target: "rank 1" });
    expect(detail.recoveries[0]?.phases.map(({ phase }) => phase)).toContain("first");
    expect(detail.rate?.withFaults).toHaveLength(detail.rate?.times.length ?? -1);
    expect(detail.generations.length).toBeGreaterThan(1);
    expect(detail.replay).toContain("--world sim --seed 0");
    expect(detail.eventsTotal).toBeGreaterThan(20);

    const events = await plane.call("GET", `${path}/${row.id}/events?limit=2000`);
    expect(experimentEventsSchema.safeParse(events.json).error).toBeUndefined();
    expect(events.json).toMatchObject({ isOver: true, last: detail.eventsTotal - 1 });
    const faults = (events.json as unknown as ExperimentEventsView).events.filter(
      ({ kind }) => kind === "fault",
    );
    expect(faults.map(({ text }) => text)).toEqual([
      "kill_device on rank 1: injected",
      `kill_device on rank 1: ${detail.injections[0]?.effect}`,
      "kill_device on rank 1: undone",
    ]);
    const rest = await plane.call(
      "GET",
      `${path}/${row.id}/events?after=${detail.eventsTotal - 3}`,
    );
    expect(rest.json["events"]).toHaveLength(2);

    const report = await plane.call("GET", `${path}/${row.id}/report`);
    expect(report.status).toBe(200);
    expect(report.text).toContain("Kill a GPU in the middle of a job");

    const audit = await plane.call("GET", "/api/v1/audit");
    const entries = audit.json["entries"] as readonly { action: string; subject: string }[];
    expect(entries.find(({ subject }) => subject === row.id)).toMatchObject({
      action: "experiment.start",
      details: { outcome: "done", about: { world: "sim", title: row.title, seed: row.seed } },
    });
  });

  test("that shall fail fails, and its smallest form is found", async () => {
    await using plane = await program.plane();
    const row = await plane.start(await example("kill-gpu-must-fail"));
    const detail = await plane.ended(row.id);
    expect(detail).toMatchObject({
      state: "finished",
      outcome: "fail",
      signature: expect.any(String),
    });
    expect(detail.reproducer.state).toBe("none");
    const asked = await plane.call("POST", `${path}/${row.id}/minimise`, { token: plane.token });
    expect(asked).toMatchObject({ status: 202, json: { state: "running" } });
    await waitUntil("the search is over", async () => {
      return (await plane.detail(row.id)).reproducer.state !== "running";
    });
    const { reproducer } = await plane.detail(row.id);
    expect(reproducer).toMatchObject({ state: "done", faultsBefore: 1, faultsAfter: 1 });
    expect(reproducer.text).toContain("kill_device");
  });

  test("that passed has nothing to make smaller", async () => {
    await using plane = await program.plane();
    const row = await plane.start(await example("latency"));
    expect(await plane.ended(row.id)).toMatchObject({ state: "finished", outcome: "pass" });
    const asked = await plane.call("POST", `${path}/${row.id}/minimise`, { token: plane.token });
    expect(asked).toMatchObject({ status: 409, json: { code: "E_EXPERIMENT_STATE" } });
  });

  test("is in the list, page after page, the newest first", async () => {
    await using plane = await program.plane();
    const text = await example("latency");
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) ids.push((await plane.start(text)).id);
    const first = await plane.call("GET", `${path}?limit=2`);
    const page = experimentListSchema.parse(first.json);
    expect(page.experiments.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    const second = await plane.call("GET", `${path}?limit=2&cursor=${page.next}`);
    const last = experimentListSchema.parse(second.json);
    expect(last.experiments.map(({ id }) => id)).toEqual([ids[0]]);
    expect(last.next).toBeNull();
    expect(page.worlds.map(({ world, allowed }) => [world, allowed])).toEqual([
      ["sim", true],
      ["host", true],
      ["kubernetes", false],
      ["slurm", false],
    ]);
    for (const id of ids) await plane.ended(id);
  });

  test("makes place for newer ones, and is gone with its events", async () => {
    await using plane = await program.plane({ more: { keep: 1 } });
    const text = await example("latency");
    const old = await plane.start(text);
    await plane.ended(old.id);
    await plane.ended((await plane.start(text)).id);
    expect((await plane.call("GET", `${path}/${old.id}`)).status).toBe(404);
  });
});

describe("a person who stops an experiment on this machine", () => {
  test("gets everything undone and no verdict", async () => {
    await using plane = await program.plane();
    const row = await plane.start(frozenText, { world: "host" });
    await waitUntil("the detail shows its fault", async () => {
      return (await plane.detail(row.id)).injections.length > 0;
    });
    expect(await plane.detail(row.id)).toMatchObject({
      state: "running",
      provenance: "measured",
      injections: [{ fault: "freeze_worker", injectedS: expect.any(Number), revertedS: null }],
    });
    const { json } = await plane.call("GET", `${path}/${row.id}/events?limit=2000`);
    const phases = (json as unknown as ExperimentEventsView).events.map(({ phase }) => phase);
    expect(phases).toEqual(expect.arrayContaining(["baseline", "method"]));
    const answer = await plane.call("POST", `${path}/${row.id}/stop`, { token: plane.token });
    expect(answer).toMatchObject({ status: 200, json: { state: "stopping" } });
    const detail = await plane.ended(row.id);
    expect(detail).toMatchObject({
      state: "stopped",
      outcome: "inconclusive",
      reason: "stopped by first-admin",
      residualFaults: [],
      injections: [{ revertedS: expect.any(Number) }],
    });
    const again = await plane.call("POST", `${path}/${row.id}/stop`, { token: plane.token });
    expect(again).toMatchObject({ status: 200, json: { state: "stopped" } });
  });

  test("stops one that waits before it begins, and the queue has an end", async () => {
    await using plane = await program.plane({ more: { waiting: 1 } });
    const running = await plane.start(longText, { world: "host" });
    const waiting = await plane.start(longText);
    const refused = await plane.call("POST", path, {
      token: plane.token,
      json: { text: longText },
    });
    expect(refused).toMatchObject({ status: 429, json: { code: "E_EXPERIMENTS_FULL" } });
    await plane.call("POST", `${path}/${waiting.id}/stop`, { token: plane.token });
    expect(await plane.ended(waiting.id)).toMatchObject({ state: "stopped", eventsTotal: 0 });
    await plane.call("POST", `${path}/${running.id}/stop`, { token: plane.token });
    await plane.ended(running.id);
  });
});

describe("a server that ends before its experiment", () => {
  test("stops it in good order when it is told to", async () => {
    const first = await program.plane();
    const { id } = await first.start(longText, { world: "host" });
    await waitUntil("it runs", async () => (await first.detail(id)).phase === "baseline");
    await first.plane.stop();
    await using second = await program.plane({ dataDir: first.dataDir });
    expect(await second.detail(id)).toMatchObject({
      state: "stopped",
      outcome: "inconclusive",
      reason: "the server was stopped",
    });
  });

  test("leaves it for the next one to say that it was interrupted", async () => {
    const first = await program.plane();
    const { id } = await first.start(await example("latency"));
    await first.ended(id);
    // As the books are when a server is killed.
    const { db } = first.plane.store;
    const killed = { state: "running", outcome: null, ended_at: null } as const;
    await db.updateTable("experiments").set(killed).where("id", "=", id).execute();
    await first.plane.stop();
    await using second = await program.plane({ dataDir: first.dataDir });
    expect(await second.ended(id)).toMatchObject({
      state: "interrupted",
      outcome: null,
      reason: "the process that ran it is gone",
    });
  });

  test("whose child is killed says that it was interrupted", async () => {
    await using plane = await program.plane();
    const { id } = await plane.start(longText);
    await waitUntil("it runs", async () => (await plane.detail(id)).phase === "baseline");
    for (const pid of await childrenOf(process.pid)) process.kill(pid, "SIGKILL");
    expect(await plane.ended(id)).toMatchObject({ state: "interrupted", outcome: null });
  });
});

test("reads are answered while a simulated job computes", async () => {
  await using plane = await program.plane();
  const { id } = await plane.start(longText);
  await waitUntil("it computes", async () => (await plane.detail(id)).phase === "baseline");
  for (let count = 0; count < 20; count++) {
    expect((await plane.call("GET", path)).status).toBe(200);
  }
  expect((await plane.detail(id)).state).toBe("running");
  await plane.call("POST", `${path}/${id}/stop`, { token: plane.token });
  expect(await plane.ended(id)).toMatchObject({ state: "stopped", outcome: "inconclusive" });
});

describe("a dry run", () => {
  test("says what would happen and begins nothing", async () => {
    await using plane = await program.plane();
    const json = { text: await example("kill-gpu"), dryRun: true, seed: "7" };
    const answer = await plane.call("POST", path, { token: plane.token, json });
    expect(answer.status).toBe(200);
    expect(experimentPlanSchema.parse(answer.json)).toMatchObject({
      seed: "7",
      faults: [{ fault: "kill_device", target: "rank 1", when: "at step 12, for 2 s" }],
      refusals: [],
    });
    expect((await plane.call("GET", path)).json).toMatchObject({ experiments: [] });
  });

  test("names every line that is wrong in a file", async () => {
    await using plane = await program.plane();
    const text = (await example("kill-gpu")).replace("workload:", "workloads:");
    const answer = await plane.call("POST", path, {
      token: plane.token,
      json: { text, dryRun: true },
    });
    expect(answer).toMatchObject({
      status: 400,
      json: { code: "E_EXPERIMENT", details: { line: expect.any(Number) } },
    });
  });

  test("refuses worlds that are closed here, and programs of the caller's choice", async () => {
    await using plane = await program.plane({ more: { worlds: ["sim"] } });
    const command =
      "title: a program\nworkload: { kind: command, command: [id] }\nlimits: { duration: 1m }\n";
    const post = (json: object) => plane.call("POST", path, { token: plane.token, json });
    const text = await example("kill-gpu");
    const planned = await post({ text, world: "host", dryRun: true });
    expect(planned.json["refusals"]).toEqual([expect.stringContaining("experiments.worlds")]);
    expect(await post({ text, world: "host" })).toMatchObject({
      status: 409,
      json: { code: "E_WORLD" },
    });
    expect(await post({ text, world: "kubernetes" })).toMatchObject({ status: 409 });
    await using open = await program.plane();
    const options = { token: open.token, json: { text: command, world: "host" } };
    expect(await open.call("POST", path, options)).toMatchObject({
      status: 409,
      json: { code: "E_WORLD", detail: expect.stringContaining("experiments.outside") },
    });
  });
});

describe("whoever may only operate", () => {
  test("starts and stops nothing, and reads everything", async () => {
    await using plane = await program.plane();
    const token = await plane.tokenOf("operate");
    const json = { text: await example("latency") };
    expect((await plane.call("POST", path, { token, json })).status).toBe(403);
    const reader = await plane.tokenOf("read");
    expect((await plane.call("POST", `${path}/x/stop`, { token: reader })).status).toBe(403);
    expect((await plane.call("GET", path, { token })).status).toBe(200);
    expect((await plane.call("POST", path, { json })).status).toBe(401);
  });
});

test("the presets are the files of the examples, with their twins that must fail", async () => {
  await using plane = await program.plane();
  const answer = await plane.call("GET", `${path}/presets`);
  const { presets } = presetListSchema.parse(answer.json);
  expect(presets.length).toBeGreaterThan(10);
  expect(presets.find(({ name }) => name === "kill-gpu-must-fail")).toMatchObject({
    mustFail: true,
    faults: ["kill_device"],
  });
});
