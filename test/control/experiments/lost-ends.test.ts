import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { waitUntil } from "../../support/wait-until.ts";
import { type ExperimentPlane, example, experimentProgram, longText } from "./support.ts";

const program = experimentProgram();
const text = () => example("kill-gpu-must-fail");

/** The store takes nothing of this kind until it is let. */
async function refuse({ plane }: ExperimentPlane, condition: string): Promise<() => Promise<void>> {
  const { db } = plane.store;
  const body = `begin select raise(abort, 'no room'); end`;
  const trigger = `create trigger refusing before update on experiments when ${condition} ${body}`;
  await sql.raw(trigger).execute(db);
  return async () => void (await sql`drop trigger refusing`.execute(db));
}

const notKept = "what came of an experiment is not kept yet";

describe("an end that the store does not take", () => {
  test("of an experiment is written when it does, and the next one has its turn", async () => {
    await using plane = await program.plane();
    const allow = await refuse(plane, "new.state = 'finished'");
    const { id } = await plane.start(await text());
    await waitUntil("its end was refused", () => plane.logged().includes(notKept));
    expect(await plane.detail(id)).toMatchObject({ state: "running", outcome: null });
    await allow();
    expect(await plane.ended(id)).toMatchObject({ state: "finished", outcome: "fail" });
    const next = await plane.start(await example("latency"));
    expect(await plane.ended(next.id)).toMatchObject({ state: "finished", outcome: "pass" });
  });

  test("of a search for a smaller one is written when it does", async () => {
    await using plane = await program.plane();
    const { id } = await plane.start(await text());
    await plane.ended(id);
    const allow = await refuse(plane, `new.reproducer like '{"state":"done"%'`);
    await plane.call("POST", `/api/v1/experiments/${id}/minimise`, { token: plane.token });
    await waitUntil("its end was refused", () => plane.logged().includes(notKept));
    await allow();
    await waitUntil("it is found", async () => {
      return (await plane.detail(id)).reproducer.state === "done";
    });
  });

  test("keeps no server from stopping", async () => {
    const plane = await program.plane();
    await refuse(plane, "new.ended_at is not null");
    await plane.start(await text());
    await waitUntil("its end was refused", () => plane.logged().includes(notKept));
    await plane.plane.stop({ deadlineMs: 0 });
  });
});

describe("what the books say that this process runs", () => {
  test("is ended when it does not, and left alone while it does", async () => {
    await using plane = await program.plane({ more: { concurrent: 2 } });
    const lost = await plane.start(await text());
    await plane.ended(lost.id);
    const { reproducer } = await plane.detail(lost.id);
    const alive = await plane.start(longText, { world: "host" });
    await waitUntil("it runs", async () => (await plane.detail(alive.id)).phase === "baseline");
    const open = {
      state: "running",
      outcome: null,
      reproducer: JSON.stringify({ ...reproducer, state: "running" }),
    };
    const { db } = plane.plane.store;
    await db.updateTable("experiments").set(open).where("id", "=", lost.id).execute();
    expect(await plane.ended(lost.id)).toMatchObject({
      state: "interrupted",
      reason: "what came of it was not written down",
    });
    await waitUntil("its search is over", async () => {
      return (await plane.detail(lost.id)).reproducer.state === "failed";
    });
    expect((await plane.detail(alive.id)).state).toBe("running");
  });
});
