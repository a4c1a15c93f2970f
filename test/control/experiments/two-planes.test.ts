import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ExperimentListView } from "../../../src/control/api/experiments.ts";
import { type PostgresServer, postgresMissing, startPostgres } from "../../support/postgres.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { childrenOf } from "./children.ts";
import { type ExperimentPlane, example, experimentProgram, longText } from "./support.ts";

const path = "/api/v1/experiments";
const missing = postgresMissing();

describe.skipIf(missing !== undefined)("two control planes with one PostgreSQL store", () => {
  const program = experimentProgram();
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres({ fsync: false });
  });
  afterAll(() => server.stop());

  const twoPlanes = async () => {
    const storeUrl = await server.createSchema();
    const one = await program.plane({ storeUrl });
    const two = await program.plane({ storeUrl });
    return {
      one,
      // Tokens are in the store, which both have.
      two: { ...two, token: one.token },
      [Symbol.asyncDispose]: async () => {
        await Promise.all([one.plane.stop({ deadlineMs: 0 }), two.plane.stop({ deadlineMs: 0 })]);
      },
    };
  };
  const listed = async (plane: ExperimentPlane) => {
    const { experiments } = (await plane.call("GET", path)).json as unknown as ExperimentListView;
    return new Map(experiments.map(({ id, state }) => [id, state]));
  };
  /** As the books are when a process is killed that was last heard of so long ago. */
  const asIfHeldBy = async (
    { plane, clock }: ExperimentPlane,
    id: string,
    about: { readonly agoMs: number; readonly state?: string; readonly reproducer?: string },
  ) => {
    const { agoMs, ...rest } = about;
    const held = { holder: "another/1", seen_at: clock.nowMs() - agoMs, ...rest };
    await plane.store.db.updateTable("experiments").set(held).where("id", "=", id).execute();
  };
  const minuteMs = 60_000;

  test("say that an experiment was interrupted whose process is gone, and not of one that speaks", async () => {
    await using planes = await twoPlanes();
    const { one, two } = planes;
    const text = await example("latency");
    const [gone, alive] = [await one.start(text), await one.start(text)];
    for (const { id } of [gone, alive]) await one.ended(id);
    await asIfHeldBy(one, alive.id, { agoMs: 0, state: "running" });
    await asIfHeldBy(one, gone.id, { agoMs: 10 * minuteMs, state: "running" });
    await waitUntil("it is called interrupted", async () => {
      return (await listed(two)).get(gone.id) === "interrupted";
    });
    expect(await two.detail(gone.id)).toMatchObject({ reason: "the process that ran it is gone" });
    expect(await listed(one)).toEqual(await listed(two));
    expect((await listed(two)).get(alive.id)).toBe("running");
  });

  test("end a search whose process is gone, and not one that goes on", async () => {
    await using planes = await twoPlanes();
    const { one, two } = planes;
    const text = await example("kill-gpu-must-fail");
    const [gone, alive] = [await one.start(text), await one.start(text)];
    for (const { id } of [gone, alive]) await one.ended(id);
    const { reproducer: none } = await one.detail(gone.id);
    const reproducer = JSON.stringify({ ...none, state: "running", reason: null });
    await asIfHeldBy(one, alive.id, { agoMs: 0, reproducer });
    await asIfHeldBy(one, gone.id, { agoMs: 10 * minuteMs, reproducer });
    await waitUntil("the search is over", async () => {
      return (await two.detail(gone.id)).reproducer.state !== "running";
    });
    expect((await two.detail(gone.id)).reproducer).toMatchObject({
      state: "failed",
      reason: "the process that looked for it is gone",
    });
    expect((await two.detail(alive.id)).reproducer.state).toBe("running");
  });

  test("search once when both are asked", async () => {
    await using planes = await twoPlanes();
    const { one, two } = planes;
    const { id } = await one.start(await example("kill-gpu-must-fail"));
    await one.ended(id);
    const ask = (on: ExperimentPlane) =>
      on.call("POST", `${path}/${id}/minimise`, { token: on.token });
    const answers = await Promise.all([ask(one), ask(two)]);
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    await waitUntil("it is found", async () => (await two.detail(id)).reproducer.state === "done");
    expect((await one.detail(id)).reproducer).toMatchObject({ faultsAfter: 1 });
  });

  test("leave alone what another one has taken over", async () => {
    await using planes = await twoPlanes();
    const { one, two } = planes;
    const { id } = await one.start(longText, { world: "host" });
    await waitUntil("it runs", async () => (await two.detail(id)).phase === "baseline");
    await asIfHeldBy(one, id, { agoMs: 0 });
    await waitUntil("its process is gone", async () => {
      return (await childrenOf(process.pid)).length === 0;
    });
    expect(await two.detail(id)).toMatchObject({ state: "running", outcome: null, reason: null });
  });

  test("end a search that the other one makes when somebody stops it", async () => {
    await using planes = await twoPlanes();
    const { one, two } = planes;
    const { id } = await one.start(await example("kill-gpu-must-fail"));
    await one.ended(id);
    const { reproducer: none } = await one.detail(id);
    const reproducer = JSON.stringify({ ...none, state: "running", reason: null });
    await asIfHeldBy(one, id, { agoMs: 0, reproducer });
    await two.call("POST", `${path}/${id}/stop`, { token: two.token });
    expect(await one.detail(id)).toMatchObject({
      state: "finished",
      reproducer: { state: "failed", reason: "stopped by first-admin" },
    });
  });

  test("stop what the other one runs, and say who wanted it", async () => {
    await using planes = await twoPlanes();
    const { one, two } = planes;
    const { id } = await one.start(longText, { world: "host" });
    await waitUntil("it runs", async () => (await two.detail(id)).phase === "baseline");
    const answer = await two.call("POST", `${path}/${id}/stop`, { token: two.token });
    expect(answer).toMatchObject({ status: 200, json: { state: "stopping" } });
    expect(await two.ended(id)).toMatchObject({
      state: "stopped",
      outcome: "inconclusive",
      reason: "stopped by first-admin",
      residualFaults: [],
    });
  });
});
