import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { hardwareFaultSchema, hardwareFaultsSchema } from "../../../src/control/api/faults.ts";
import { overviewSchema } from "../../../src/control/api/overview.ts";
import { predictedOf } from "../../../src/control/faults/predicted.ts";
import type { FaultView } from "../../../src/hardware/api/index.ts";
import type { GuardFacts } from "../../../src/hardware/guard/index.ts";
import { planFault } from "../../../src/hardware/plan/index.ts";
import { startTestApi, type TestApi } from "../../hardware/api/support.ts";
import { goodFacts, known, request } from "../../hardware/guard/support.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { startPlane } from "../support.ts";

const path = "/api/v1/faults";
const parts = ["syslog-health-monitor", "fault-quarantine", "node-drainer"];
const plan = planFault(
  request(),
  goodFacts({ nvsentinel: known({ namespace: "nvsentinel", parts }) } as Partial<GuardFacts>),
);
const body = { namespace: "prod", node: "gpu-1", durationSeconds: 60 };

async function planeOn(api: TestApi, user = "alice") {
  const tokenFile = join(await tempDir(), "token");
  await writeFile(tokenFile, `${user}-token\n`);
  return startPlane({ settings: { hardware: { faultApiUrl: api.url, tokenFile } } });
}

/** Three faults, made at once: each waits for an agent that is not there. */
async function makeThree(plane: Awaited<ReturnType<typeof planeOn>>): Promise<readonly string[]> {
  const { token } = plane;
  const answers = [0, 1, 2].map((gpu) =>
    plane.call("POST", path, { token, json: { ...body, gpu } }),
  );
  return (await Promise.all(answers)).map(({ json }) => hardwareFaultSchema.parse(json).id);
}

describe("where no fault API is configured", () => {
  test("the list says so, and nothing can be injected", async () => {
    await using plane = await startPlane();
    const list = await plane.call("GET", path);
    expect(hardwareFaultsSchema.parse(list.json)).toMatchObject({
      available: false,
      unanswered: false,
      faults: [],
      live: null,
      left: null,
    });
    expect(list.json["reason"]).toContain("hardware.faultApiUrl");
    for (const [where, json] of [
      [`${path}/plan`, body],
      [path, body],
      [`${path}/x/revert`, undefined],
    ] as const) {
      const answer = await plane.call("POST", where, {
        token: plane.token,
        ...(json === undefined ? {} : { json }),
      });
      expect(answer).toMatchObject({ status: 409, json: { code: "E_HW_NOT_CONFIGURED" } });
    }
    expect((await plane.call("GET", `${path}/xids`)).json["xids"]).toContainEqual(
      expect.objectContaining({ code: 79 }),
    );
  });
});

describe("a fault", () => {
  test("is planned, made, foretold and taken back", async () => {
    const api = await startTestApi({ plan });
    await using plane = await planeOn(api);
    const { token } = plane;
    const planned = await plane.call("POST", `${path}/plan`, { token, json: body });
    expect(planned).toMatchObject({ status: 200, json: { allowed: true, realReboot: "no" } });
    expect(planned.json["detectors"]).toContainEqual(
      expect.objectContaining({ name: "nvsentinel" }),
    );
    const made = await plane.call("POST", path, { token, json: body });
    expect(made.status).toBe(201);
    const fault = hardwareFaultSchema.parse(made.json);
    expect(fault).toMatchObject({ kind: "xid", node: "gpu-1", isLive: true });
    expect(fault.run).toMatch(/^ui-first-admin-/);
    expect(fault.predicted).toContainEqual({
      detector: "nvsentinel",
      what: "cordons",
      expected: "yes",
      observed: null,
      agrees: null,
    });
    const list = hardwareFaultsSchema.parse((await plane.call("GET", path)).json);
    expect(list).toMatchObject({ available: true, live: 1, faults: [{ id: fault.id }] });
    const back = await plane.call("POST", `${path}/${fault.id}/revert`, { token });
    expect(back.status).toBe(200);
    const audit = await plane.call("GET", "/api/v1/audit", { token });
    const entries = audit.json["entries"] as readonly { action: string; subject: string }[];
    const entry = entries.find(({ action, subject }) => {
      return action === "fault.inject" && subject === fault.id;
    });
    expect(entry).toMatchObject({ details: { about: { node: body.node, xid: 79 } } });
    expect(entries.some(({ action }) => action === "fault.revert")).toBe(true);
  });

  test("is listed in pages, each once, and counted on every page", async () => {
    const api = await startTestApi({ plan });
    await using plane = await planeOn(api);
    const made = new Set(await makeThree(plane));
    const page = async (query: string) =>
      hardwareFaultsSchema.parse((await plane.call("GET", `${path}?${query}`)).json);
    const first = await page("limit=2");
    const second = await page(`limit=2&cursor=${first.next}`);
    expect([first.faults.length, second.faults.length]).toEqual([2, 1]);
    expect(new Set([...first.faults, ...second.faults].map(({ id }) => id))).toEqual(made);
    expect([first.live, second.live, second.next]).toEqual([3, 3, null]);
    expect((await plane.call("GET", `${path}?cursor=x`)).status).toBe(400);
  });

  test("that is over and not wholly undone is counted on every page; one wholly undone is not", async () => {
    const api = await startTestApi({ plan });
    await using plane = await planeOn(api);
    const [partly = "", wholly = ""] = await makeThree(plane);
    const countsOf = async (query = "") => {
      const answer = await plane.call("GET", `${path}?limit=1${query}`);
      return hardwareFaultsSchema.parse(answer.json);
    };
    expect(await countsOf()).toMatchObject({ live: 3, left: 0 });
    for (const [id, left] of [
      [partly, ["the cordon"]],
      [wholly, []],
    ] as const) {
      const undo = { kind: "control", node: body.node, scope: "prod-1", left } as const;
      await api.book.change(id, (status) => ({ ...status, state: "reverted", undo: [undo] }));
    }
    await waitUntil("two are over", async () => (await countsOf()).live === 1);
    const first = await countsOf();
    expect(first).toMatchObject({ live: 1, left: 1 });
    expect(await countsOf(`&cursor=${first.next}`)).toMatchObject({ live: 1, left: 1 });
  });

  test("that the guard refuses is refused with its words, and none is made", async () => {
    const api = await startTestApi({ plan });
    api.findings.push({ rule: "opt-in", verdict: "refuse", reason: "the node did not opt in" });
    await using plane = await planeOn(api);
    const answer = await plane.call("POST", path, { token: plane.token, json: body });
    expect(answer).toMatchObject({ status: 409, json: { code: "E_HW_REFUSED" } });
    expect(answer.json["detail"]).toContain("the node did not opt in");
    expect((await plane.call("GET", path)).json).toMatchObject({ live: 0 });
  });

  test("that nobody knows cannot be taken back, and whoever may only operate makes none", async () => {
    const api = await startTestApi({ plan });
    await using plane = await planeOn(api);
    const answer = await plane.call("POST", `${path}/nothing/revert`, { token: plane.token });
    expect(answer).toMatchObject({ status: 404, json: { code: "E_HW_FAULT_UNKNOWN" } });
    const token = await plane.tokenOf("operate");
    expect((await plane.call("POST", path, { token, json: body })).status).toBe(403);
    expect((await plane.call("POST", `${path}/plan`, { token, json: body })).status).toBe(403);
  });
});

describe("a fault API that is gone", () => {
  test("is no fault of this server: the list says that nobody knows", async () => {
    const api = await startTestApi({ plan });
    await using plane = await planeOn(api);
    await plane.call("POST", path, { token: plane.token, json: body });
    expect((await plane.call("GET", path)).json).toMatchObject({ live: 1, left: 0 });
    const before = await plane.call("GET", "/metrics", { token: plane.token });
    expect(before.text).toMatch(/^tessera_hardware_api_up 1$/m);
    await api.stop();
    await waitUntil("the list says that the fault API is gone", async () => {
      return (await plane.call("GET", path)).json["available"] === false;
    });
    // One was in force when it was last asked: none would be a guess.
    const nobodyKnows = { unanswered: true, live: null, left: null };
    expect((await plane.call("GET", path)).json).toMatchObject(nobodyKnows);
    const { text } = await plane.call("GET", "/metrics", { token: plane.token });
    expect(text).not.toMatch(/^tessera_hardware_faults_live \d/m);
    expect(text).toMatch(/^tessera_hardware_api_up 0$/m);
  });
});

describe("a fault API that says nothing", () => {
  const kindsOf = async (plane: Awaited<ReturnType<typeof planeOn>>) => {
    const { json } = await plane.call("GET", "/api/v1/overview");
    return overviewSchema.parse(json).attention.map(({ kind }) => kind);
  };

  test("is named among what needs a person, and keeps nobody waiting", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    onTestFinished(() => void silent.close());
    const address = silent.address();
    const port = typeof address === "object" ? address?.port : 0;
    await using plane = await planeOn({ url: `http://127.0.0.1:${port}` } as TestApi);
    const startMs = performance.now();
    await kindsOf(plane);
    expect(performance.now() - startMs).toBeLessThan(4_000);
    await waitUntil("it is named", async () => (await kindsOf(plane)).includes("fault-api"));
  });

  test("is not missed where none is configured, or while it answers", async () => {
    await using bare = await startPlane();
    expect(await kindsOf(bare)).not.toContain("fault-api");
    const api = await startTestApi({ plan });
    await using plane = await planeOn(api);
    await plane.call("GET", path);
    expect(await kindsOf(plane)).not.toContain("fault-api");
  });
});

describe("what was foretold beside what was seen", () => {
  const fault = (state: FaultView["state"], sightings: FaultView["sightings"]) =>
    ({ state, sightings, injectedAt: "2026-01-01T00:00:00.000Z" }) as FaultView;
  const cordons = (rows: ReturnType<typeof predictedOf>) =>
    rows.find(({ detector, what }) => detector === "nvsentinel" && what === "cordons");
  const seen = { at: "2026-01-01T00:00:08.000Z", by: "nvsentinel", what: "cordon" };

  test("agrees once it happened", () => {
    const rows = predictedOf(plan, fault("observed", [seen]));
    expect(cordons(rows)).toMatchObject({ observed: "yes", agrees: true });
  });

  test("is open while it may still happen, and disagrees when it is over", () => {
    expect(cordons(predictedOf(plan, fault("injected", [])))).toMatchObject({ agrees: null });
    expect(cordons(predictedOf(plan, fault("reverted", [])))).toMatchObject({
      observed: "no",
      agrees: false,
    });
  });

  test("is nothing where nobody foretold anything", () => {
    expect(predictedOf(undefined, fault("reverted", [seen]))).toEqual([]);
  });
});
