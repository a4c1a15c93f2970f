import { describe, expect, it } from "vitest";
import { type NodeRow, nodeDetailSchema, nodeListSchema } from "../../../src/control/api/nodes.ts";
import { queueSchema } from "../../../src/control/api/queue.ts";
import { runDetailSchema, runListSchema, runLogSchema } from "../../../src/control/api/runs.ts";
import { wordTakenSchema } from "../../../src/control/api/words.ts";
import type { TestPlane } from "../support.ts";
import { fleetYaml, planeOf, read, readUntil, testedFleet } from "./support.ts";

/** A node of the fleet that is free and well. */
async function freeNode(test: TestPlane): Promise<string> {
  const { nodes } = await readUntil(test, "nodes", {
    schema: nodeListSchema,
    until: (found) => found.nodes.some(isFreeAndWell),
  });
  return nodes.find(isFreeAndWell)?.name ?? "";
}

function isFreeAndWell({ use, standing }: NodeRow): boolean {
  return use === "free" && standing === "pass";
}

describe("a node over the API", () => {
  it("shows verdicts, figures with bounds and siblings, and says that all is simulated", async () => {
    await using test = await testedFleet();
    const name = await freeNode(test);
    const node = await readUntil(test, `clusters/made-up/nodes/${name}`, {
      schema: nodeDetailSchema,
      until: (found) => found.figures.length > 0,
    });
    expect(node.provenance).toBe("simulated");
    expect(node.gpus).toBe(8);
    expect(node.verdicts.map(({ check }) => check)).toEqual(node.checks.map(({ check }) => check));
    expect(node.verdicts.every(({ runId }) => runId !== null)).toBe(true);
    const drawn = node.figures.find(({ check }) => check === "nccl-loopback");
    expect(drawn?.bounds).toContainEqual(
      expect.objectContaining({ rule: "floor", level: "fail", side: "below" }),
    );
    const values = drawn?.siblings.dots.map(({ median }) => median) ?? [];
    expect(values).toEqual(values.toSorted((a, b) => a - b));
    expect(values).toHaveLength(12);
    expect(drawn?.siblings).toMatchObject({ others: 11, own: expect.any(Number) });
    expect(drawn?.siblings.dots.filter(({ isSelf }) => isSelf)).toHaveLength(1);
    const times = drawn?.points.map(({ at }) => at) ?? [];
    expect(times).toEqual(times.toSorted());
  });

  it("answers 404 for a node that is not there, naming the one that was probably meant", async () => {
    await using test = await testedFleet();
    const { nodes } = await readUntil(test, "nodes", {
      schema: nodeListSchema,
      until: (found) => found.total === 12,
    });
    const wrong = `${nodes[0]?.name}x`;
    const answer = await test.call("GET", `/api/v1/clusters/made-up/nodes/${wrong}`);
    expect(answer.status).toBe(404);
    expect(answer.text).toContain(`did you mean \`${nodes[0]?.name}`);
  });
});

describe("a person's word over the API", () => {
  const path = (node: string, action: string) => `/api/v1/clusters/made-up/nodes/${node}/${action}`;

  it("holds a node, shows who holds it, and lets go of it again", async () => {
    await using test = await testedFleet();
    const name = await freeNode(test);
    const token = await test.tokenOf("operate");
    const held = await test.call("POST", path(name, "hold"), {
      token,
      json: { reason: "fan swap" },
    });
    expect(wordTakenSchema.parse(held.json).action).toBe("hold");
    const node = await readUntil(test, `clusters/made-up/nodes/${name}`, {
      schema: nodeDetailSchema,
      until: (found) => found.held !== null,
    });
    expect(node.held).toMatchObject({ by: "a operate", reason: "fan swap" });
    const texts = node.events.map(({ text }) => text);
    expect(texts).toContain("a operate keeps it from users: fan swap");
    await test.call("POST", path(name, "release"), { token, json: { reason: "done" } });
    await readUntil(test, `clusters/made-up/nodes/${name}`, {
      schema: nodeDetailSchema,
      until: (found) => found.held === null,
    });
  });

  it("makes a manual run of a check that somebody asks for, once", async () => {
    await using test = await testedFleet();
    const name = await freeNode(test);
    const check = "nccl-loopback";
    const json = { check, reason: "cable replaced" };
    const answer = await test.call("POST", path(name, "test"), { token: test.token, json });
    expect(answer.status).toBe(200);
    const query = `runs?cluster=made-up&node=${name}&check=${check}`;
    const { runs } = await readUntil(test, query, {
      schema: runListSchema,
      until: (found) => found.runs.some(({ purpose }) => purpose === "manual"),
    });
    const run = runs.find(({ purpose }) => purpose === "manual");
    const detail = await read(test, `runs/${run?.id}`, runDetailSchema);
    expect(detail.why).toContain("cable replaced");
    const node = await readUntil(test, `clusters/made-up/nodes/${name}`, {
      schema: nodeDetailSchema,
      until: (found) => found.wanted.every(({ purpose }) => purpose !== "manual"),
    });
    expect(node.name).toBe(name);
    const again = await read(test, query, runListSchema);
    expect(again.runs.filter(({ purpose }) => purpose === "manual")).toHaveLength(1);
  });

  it("refuses readers, checks that do not exist and words without a reason, and changes nothing", async () => {
    await using test = await testedFleet();
    const name = await freeNode(test);
    const token = await test.tokenOf("read");
    const json = { reason: "because I can" };
    expect((await test.call("POST", path(name, "hold"), { token, json })).status).toBe(403);
    expect((await test.call("POST", path(name, "hold"), { json })).status).toBe(401);
    const ask = (body: object) =>
      test.call("POST", path(name, "test"), { token: test.token, json: body });
    const unknown = await ask({ check: "nccl-loopbock", reason: "why not" });
    expect(unknown.status).toBe(400);
    expect(unknown.text).toContain("did you mean `nccl-loopback`");
    expect((await ask({ reason: "" })).status).toBe(400);
    const node = await read(test, `clusters/made-up/nodes/${name}`, nodeDetailSchema);
    expect(node.events.filter(({ kind }) => kind === "override")).toEqual([]);
  });
});

describe("runs, logs and the queue over the API", () => {
  it("pages through runs without a gap while new ones are planned", async () => {
    await using test = await testedFleet();
    await readUntil(test, "runs?limit=500", {
      schema: runListSchema,
      until: ({ runs }) => runs.length >= 12,
    });
    const first = await read(test, "runs?limit=6", runListSchema);
    const second = await read(test, `runs?limit=6&cursor=${first.next}`, runListSchema);
    const both = [...first.runs, ...second.runs];
    expect(new Set(both.map(({ id }) => id)).size).toBe(12);
    const planned = both.map(({ plannedAt }) => plannedAt);
    expect(planned).toEqual(planned.toSorted().toReversed());
    const open = await read(test, "runs?outcome=open&limit=500", runListSchema);
    expect(open.runs.every(({ outcome }) => outcome === null)).toBe(true);
    const refused = await test.call("GET", "/api/v1/runs?cursor=WyJhIiwiYiJd");
    expect(refused.status).toBe(400);
  });

  it("reads the log of a run in parts that join to the whole, and says that it is made up", async () => {
    await using test = await testedFleet();
    const { runs } = await readUntil(test, "runs?outcome=completed&limit=5", {
      schema: runListSchema,
      until: (found) => found.runs.length > 0,
    });
    const id = runs[0]?.id ?? "";
    const detail = await read(test, `runs/${id}`, runDetailSchema);
    expect(detail).toMatchObject({ provenance: "simulated", handedIn: "pod", state: "ended" });
    expect(detail.figures[0]?.samples.length).toBeGreaterThan(0);
    expect(detail.log.available).toBe(true);
    const whole = await read(test, `runs/${id}/log`, runLogSchema);
    expect(whole.isOver).toBe(true);
    expect(whole.text).toContain("simulated: no program ran");
    let text = "";
    for (let offset = 0; offset < whole.sizeBytes; ) {
      const part = await read(test, `runs/${id}/log?offset=${offset}&limit=100`, runLogSchema);
      text += part.text;
      offset = part.next;
    }
    expect(text).toBe(whole.text);
    const missing = await test.call("GET", "/api/v1/runs/nothing/log");
    expect(missing.status).toBe(404);
    expect(missing.text).toContain("E_NOT_FOUND");
  });

  it("tells the queue with a reason for everything in it", async () => {
    await using test = await planeOf(fleetYaml({ speed: 1 }));
    const queue = await readUntil(test, "queue?cluster=made-up", {
      schema: queueSchema,
      until: ({ open, next, postponed }) => open.length + next.length + postponed.length > 0,
    });
    expect(queue).toMatchObject({ cluster: "made-up", provenance: "simulated" });
    for (const { reason } of [...queue.next, ...queue.postponed]) expect(reason).not.toBe("");
    expect((await test.call("GET", "/api/v1/queue?cluster=nowhere")).status).toBe(404);
    expect((await test.call("GET", "/api/v1/queue")).status).toBe(400);
  });
});
