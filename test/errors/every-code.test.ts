import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { type ErrorCode, type ErrorRow, errorTable } from "../../src/platform/errors/index.ts";
import { distDir, runCli } from "../support/built-cli.ts";
import { tempDir } from "../support/temp-dir.ts";
import { type RunningUp, startUp } from "../support/up.ts";
import { fromCli, type Provocation, type ProvocationContext } from "./provocation.ts";

const folder = join(import.meta.dirname, "provocations");
const libraryScript = join(import.meta.dirname, "../support/programs/library-script.mjs");
const provocations = await collect();
let shared: Promise<RunningUp> | undefined;

afterAll(async () => {
  await (await shared)?.stop();
});

describe.each(Object.keys(errorTable) as ErrorCode[])("%s", (code) => {
  const own = provocations.filter((provocation) => provocation.code === code);

  test("a user can meet it", () => {
    expect(own, `test/errors/provocations/ has none for ${code}`).not.toEqual([]);
  });

  test.each(own)("$how", async ({ provoke }) => {
    const row: ErrorRow = errorTable[code];
    const { exitCode, httpStatus, text } = await inContext(provoke);
    expect(exitCode ?? httpStatus, "says how it ended").toBeDefined();
    if (exitCode !== undefined) expect(exitCode, text).toBe(row.exitCode);
    if (httpStatus !== undefined) expect(httpStatus, text).toBe(row.httpStatus);
    expect(text).toContain(code);
    expect(text.trim(), "one paragraph").not.toMatch(/\n\s*\n/);
    expect(text, "no stack").not.toMatch(/^ {4}at /m);
  });
});

async function collect(): Promise<readonly Provocation[]> {
  const files = readdirSync(folder).filter((name) => name.endsWith(".ts"));
  const modules = await Promise.all(
    files.map(async (name) => (await import(join(folder, name))) as object),
  );
  return modules.flatMap((module) =>
    "provocations" in module ? (module.provocations as readonly Provocation[]) : [],
  );
}

async function inContext(provoke: Provocation["provoke"]) {
  const started: RunningUp[] = [];
  const context: ProvocationContext = {
    cli: runCli,
    library: async (source) => {
      const entry = pathToFileURL(join(distDir, "index.js")).href;
      return fromCli(await runCli([entry, source], { script: libraryScript }));
    },
    tempDir: await tempDir(),
    startUp: async (args = [], env = {}) => {
      if (args.length === 0 && Object.keys(env).length === 0) return await sharedUp();
      const up = await startUp(args, env);
      started.push(up);
      return up;
    },
  };
  try {
    return await provoke(context);
  } finally {
    await Promise.all(started.map((up) => up.stop()));
  }
}

/** One plain control plane serves all who have no special wishes; it starts once and ends last. */
async function sharedUp(): Promise<RunningUp> {
  shared ??= startUp();
  const up = await shared;
  return { ...up, stop: async () => ({ code: 0, stdout: "", stderr: "" }) };
}
