import { readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, test } from "vitest";
import { Semaphore } from "../../src/platform/concurrency/index.ts";
import { type ErrorCode, type ErrorRow, errorTable } from "../../src/platform/errors/index.ts";
import { distDir, runCli } from "../support/built-cli.ts";
import { type RunningUp, startUp } from "../support/up.ts";
import { fromCli, type Provocation, type ProvocationContext } from "./provocation.ts";

const sources = join(import.meta.dirname, "provocations");
const libraryScript = join(import.meta.dirname, "../support/programs/library-script.mjs");
const provocations = await collect();
/** Most of them start a program and wait for its end. */
const atOnce = new Semaphore({ permits: 2 });
/** Some use up what the shared control plane has: who works with it has it alone. */
const sharedTurn = new Semaphore({ permits: 1 });
let shared: Promise<RunningUp> | undefined;

afterAll(async () => {
  await (await shared)?.stop();
});

describe.concurrent.each(Object.keys(errorTable) as ErrorCode[])("%s", (code) => {
  const own = provocations.filter((provocation) => provocation.code === code);

  test("a user can meet it", ({ expect }) => {
    expect(own, `test/errors/provocations/ has none for ${code}`).not.toEqual([]);
  });

  test.for(own)("$how", async ({ provoke }, { expect }) => {
    const row: ErrorRow = errorTable[code];
    const { exitCode, httpStatus, text } = await atOnce.run(() => inContext(provoke));
    expect(exitCode ?? httpStatus, "says how it ended").toBeDefined();
    if (exitCode !== undefined) expect(exitCode, text).toBe(row.exitCode);
    if (httpStatus !== undefined) expect(httpStatus, text).toBe(row.httpStatus);
    expect(text).toContain(code);
    expect(text.trim(), "one paragraph").not.toMatch(/\n\s*\n/);
    expect(text, "no stack").not.toMatch(/^ {4}at /m);
  });
});

async function collect(): Promise<readonly Provocation[]> {
  const files = readdirSync(sources).filter((name) => name.endsWith(".ts"));
  const modules = await Promise.all(
    files.map(async (name) => (await import(join(sources, name))) as object),
  );
  return modules.flatMap((module) =>
    "provocations" in module ? (module.provocations as readonly Provocation[]) : [],
  );
}

async function inContext(provoke: Provocation["provoke"]) {
  const started: RunningUp[] = [];
  let leave = () => {};
  // Not of the test, but of this call: those that run side by side cannot be told apart by a helper.
  const folder = await mkdtemp(join(tmpdir(), "tessera-test-"));
  const context: ProvocationContext = {
    cli: runCli,
    library: async (source) => {
      const entry = pathToFileURL(join(distDir, "index.js")).href;
      return fromCli(await runCli([entry, source], { script: libraryScript }));
    },
    tempDir: folder,
    startUp: async (args = [], env = {}) => {
      if (args.length === 0 && Object.keys(env).length === 0) {
        leave();
        leave = await sharedTurn.acquire();
        return await sharedUp();
      }
      const up = await startUp(args, env);
      started.push(up);
      return up;
    },
  };
  try {
    return await provoke(context);
  } finally {
    leave();
    await Promise.all(started.map((up) => up.stop()));
    await rm(folder, { recursive: true, force: true });
  }
}

/** One plain control plane serves all who have no special wishes; it starts once and ends last. */
async function sharedUp(): Promise<RunningUp> {
  shared ??= startUp();
  const up = await shared;
  return { ...up, stop: async () => ({ code: 0, stdout: "", stderr: "" }) };
}
