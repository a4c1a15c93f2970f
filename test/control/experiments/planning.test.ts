import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { planLimits } from "../../../src/control/experiments/plan-request.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { startPlane } from "../support.ts";
import { childrenOf } from "./children.ts";
import { example, experimentProgram } from "./support.ts";

const program = experimentProgram();
const path = "/api/v1/experiments";

/** A program that thinks about a plan until a file is there. */
async function thinker() {
  const folder = await tempDir();
  const [file, gate] = [join(folder, "think.mjs"), join(folder, "enough")];
  const plan = { title: "thought", world: "sim", seed: "0", faults: [], claims: [], refusals: [] };
  const line = JSON.stringify(JSON.stringify({ line: "plan", plan }));
  await writeFile(
    file,
    `import { existsSync } from "node:fs";
    const look = setInterval(() => {
      if (!existsSync(${JSON.stringify(gate)})) return;
      console.log(${line});
      console.log('{"line":"done"}');
      clearInterval(look);
    }, 5);`,
  );
  const command = [process.execPath, file] as const;
  return { command, enough: () => writeFile(gate, "") };
}

describe("a plan that takes long", () => {
  test("keeps nobody else waiting", async () => {
    const { command, enough } = await thinker();
    await using plane = await startPlane({ command: [...command] });
    let isAnswered = false;
    const asked = plane
      .call("POST", path, { token: plane.token, json: { text: "anything", dryRun: true } })
      .finally(() => {
        isAnswered = true;
      });
    for (let count = 0; count < 5; count++) {
      expect((await plane.call("GET", path)).status).toBe(200);
    }
    expect(isAnswered).toBe(false);
    await enough();
    expect(await asked).toMatchObject({ status: 200, json: { title: "thought" } });
  });

  test("is refused when as many wait already as may", async () => {
    const { command, enough } = await thinker();
    await using plane = await startPlane({ command: [...command] });
    const statuses: number[] = [];
    const ask = async () => {
      const json = { text: "anything", dryRun: true };
      const answer = await plane.call("POST", path, { token: plane.token, json });
      statuses.push(answer.status);
      return answer;
    };
    const places = planLimits.permits + planLimits.waitersMax;
    const asked = Array.from({ length: places + 1 }, ask);
    await waitUntil("one is turned away", () => statuses.length > 0);
    expect(statuses).toEqual([429]);
    await enough();
    const answers = await Promise.all(asked);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(places);
    expect(answers.find(({ status }) => status === 429)?.json).toMatchObject({
      code: "E_EXPERIMENTS_FULL",
    });
  });

  test("ends with the server", async () => {
    const { command } = await thinker();
    const plane = await startPlane({ command: [...command] });
    const json = { text: "anything", dryRun: true };
    const asked = plane.call("POST", path, { token: plane.token, json }).catch(() => "cut off");
    await waitUntil("it is thought about", async () => {
      return (await childrenOf(process.pid)).length > 0;
    });
    await plane.plane.stop({ deadlineMs: 0 });
    await waitUntil("its process is gone", async () => {
      return (await childrenOf(process.pid)).length === 0;
    });
    await asked;
  });

  test("is given up before its request runs out of time, and nothing is begun", async () => {
    const { command, enough } = await thinker();
    const server = { requestTimeoutMs: 8000 };
    await using plane = await startPlane({ command: [...command], server });
    const answer = await plane.call("POST", path, {
      token: plane.token,
      json: { text: "anything" },
    });
    expect(answer).toMatchObject({ status: 409, json: { code: "E_WORLD" } });
    await enough();
    expect((await plane.call("GET", path)).json["experiments"]).toEqual([]);
  });

  test("that never comes is an answer with its reason", async () => {
    await using plane = await startPlane({ command: [process.execPath, "/nowhere/at/all.mjs"] });
    const json = { text: await example("latency"), world: "host" };
    expect(await plane.call("POST", path, { token: plane.token, json })).toMatchObject({
      status: 409,
      json: { code: "E_WORLD", detail: expect.stringContaining("its process ended") },
    });
  });
});

/** As much as an experiment file can ask for in a few lines. */
function hugeText(faults: number): string {
  const all = Array.from(
    { length: faults },
    (_, at) => `  - { fault: freeze_worker, target: { rank: ${at} }, at: { step: 5 }, for: 1s }`,
  );
  return `
title: Very many
workload: { kind: training, preset: small, mesh: { dp: 32768 }, steps: 20, numerics: timing }
faults:
${all.join("\n")}
limits: { duration: 10m, targets: 1000 }
`;
}

test("hundreds of faults on tens of thousands of ranks are planned while others are answered", async () => {
  await using plane = await program.plane();
  const order: string[] = [];
  const ask = async (what: string, answer: ReturnType<typeof plane.call>) => {
    const { status, json } = await answer;
    order.push(what);
    return { status, json };
  };
  const json = { text: hugeText(500), dryRun: true };
  const planned = ask("plan", plane.call("POST", path, { token: plane.token, json }));
  for (let count = 0; count < 5; count++) await ask("list", plane.call("GET", path));
  const { status, json: plan } = await planned;
  expect({ status, problem: plan["detail"] }).toEqual({ status: 200 });
  expect(plan["faults"]).toHaveLength(500);
  expect(order.at(-1)).toBe("plan");
});
