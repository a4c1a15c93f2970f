import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../support/temp-dir.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { type ExperimentPlane, example, experimentProgram } from "./support.ts";

const program = experimentProgram();

/** A program that searches until a file is there, whoever asks it to end. */
async function stubbornSearcher() {
  const folder = await tempDir();
  const [file, gate] = [join(folder, "search.mjs"), join(folder, "enough")];
  const text = "the smallest";
  const made = { outcome: "minimised", runs: 3, faultsBefore: 1, faultsAfter: 1, isMinimal: true };
  await writeFile(
    file,
    `import { existsSync, readFileSync, writeFileSync } from "node:fs";
    import { join } from "node:path";
    process.on("SIGTERM", () => {});
    writeFileSync(join(${JSON.stringify(folder)}, "deaf-" + process.pid), "");
    const { folder } = JSON.parse(readFileSync(0, "utf8"));
    const look = setInterval(() => {
      if (!existsSync(${JSON.stringify(gate)})) return;
      clearInterval(look);
      writeFileSync(join(folder, "made.json"), ${JSON.stringify(JSON.stringify({ ...made, text }))});
      console.log('{"line":"done"}');
    }, 5);`,
  );
  /** How many have begun so far. */
  const begun = async () =>
    (await readdir(folder)).filter((name) => name.startsWith("deaf-")).length;
  return { command: [process.execPath, file] as const, enough: () => writeFile(gate, ""), begun };
}

/** A plane that has an experiment that failed, and looks for smaller ones in this way. */
async function withFailed(command: readonly [string, ...string[]]) {
  const first = await program.plane();
  const { id } = await first.start(await example("kill-gpu-must-fail"));
  await first.ended(id);
  await first.plane.stop();
  const { dataDir } = first;
  const plane = await program.plane({ dataDir, command: [...command], more: { concurrent: 2 } });
  return { plane, id };
}

async function searchesRunning({ call, token }: ExperimentPlane): Promise<string | undefined> {
  const { text } = await call("GET", "/metrics", { token });
  return /^tessera_experiments_running (\d+)/m.exec(text)?.[1];
}

test("a search that was stopped and takes its time neither ends nor robs the next one", async () => {
  const { command, enough, begun } = await stubbornSearcher();
  const { plane, id } = await withFailed(command);
  await using _ = plane;
  const ask = (what: string) =>
    plane.call("POST", `/api/v1/experiments/${id}/${what}`, { token: plane.token });
  const searching = async (count: string) => (await searchesRunning(plane)) === count;
  expect((await ask("minimise")).json).toMatchObject({ state: "running" });
  await waitUntil("the first search runs", async () => (await begun()) === 1);
  await ask("stop");
  expect((await ask("minimise")).json).toMatchObject({ state: "running" });
  await waitUntil("the second one runs beside it", async () => (await begun()) === 2);
  await waitUntil("the first one has ended", () => searching("1"));
  expect((await plane.detail(id)).reproducer).toMatchObject({ state: "running" });
  await enough();
  await waitUntil("the second one has ended", () => searching("0"));
  expect((await plane.detail(id)).reproducer).toMatchObject({
    state: "done",
    runs: 3,
    text: "the smallest",
  });
});

test("a search that was stopped stays so, and nothing else is shown of it than what is", async () => {
  const { command } = await stubbornSearcher();
  const { plane, id } = await withFailed(command);
  await using _ = plane;
  const ask = (what: string) =>
    plane.call("POST", `/api/v1/experiments/${id}/${what}`, { token: plane.token });
  const { json: begun } = await ask("minimise");
  expect((await plane.detail(id)).reproducer).toEqual(begun);
  // Who asks again is told of the same one.
  expect((await ask("minimise")).json).toEqual(begun);
  await ask("stop");
  await waitUntil("it has ended", async () => (await searchesRunning(plane)) === "0");
  expect((await plane.detail(id)).reproducer).toMatchObject({
    state: "failed",
    reason: "stopped by first-admin",
  });
});
