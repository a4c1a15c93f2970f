import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runDetailSchema, runLogSchema } from "../../../src/control/api/runs.ts";
import { openStore } from "../../../src/platform/store/index.ts";
import { createRealClock } from "../../../src/platform/time/real-clock.ts";
import { runPaths } from "../../../src/validation/collect/log-tree.ts";
import { openHistory } from "../../../src/validation/history/index.ts";
import type { RunIntent } from "../../../src/validation/run.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { intentOf, resultOf } from "../../validation/history/support/samples.ts";
import { planeOf, read, readUntil } from "./support.ts";

const said = "first line: 12 µs\nsecond line: done ✓\n";

/** A plane whose one cluster is this machine, with a run that ended and left a log. */
async function planeWithLog(write: (intent: RunIntent, root: string) => Promise<void>) {
  const dataDir = join(await tempDir(), "data");
  const root = join(await tempDir(), "logs");
  await mkdir(dataDir, { recursive: true });
  const clock = createRealClock();
  const store = await openStore({ url: `sqlite:${join(dataDir, "tessera.db")}`, clock });
  const plannedAtMs = clock.nowMs() - 3_600_000;
  const check = "host-compute";
  const intent = intentOf({ id: "run-here", cluster: "here", node: "box", check, plannedAtMs });
  await openHistory(store).recordRuns([{ intent, result: resultOf(intent), origin: "pod" }]);
  await store.close();
  await write(intent, root);
  const yaml = `validation:
  clusters:
    - name: here
      kind: local
      resultsDir: ${JSON.stringify(root)}
      limits: { quietHours: ["00:00-12:00", "12:00-00:00"] }
`;
  const test = await planeOf(yaml, { dataDir });
  await readUntil(test, "runs/run-here", {
    schema: runDetailSchema,
    until: ({ log }) => !log.reason.includes("not looked after"),
  });
  return test;
}

describe("the log of a run on this machine over the API", () => {
  it("is read from its place in the tree, in parts that split no character", async () => {
    await using test = await planeWithLog(async (intent, root) => {
      const { folder, log } = runPaths(root, intent);
      await mkdir(folder, { recursive: true });
      await writeFile(log, said);
    });
    const { log } = await read(test, "runs/run-here", runDetailSchema);
    expect(log).toEqual({ available: true, reason: "" });
    const whole = await read(test, "runs/run-here/log", runLogSchema);
    expect(whole).toMatchObject({ text: said, isOver: true, sizeBytes: Buffer.byteLength(said) });
    let text = "";
    for (let offset = 0; offset < whole.sizeBytes; ) {
      const path = `runs/run-here/log?offset=${offset}&limit=5`;
      const part = await read(test, path, runLogSchema);
      expect(part.text).not.toContain("\uFFFD");
      text += part.text;
      offset = part.next;
    }
    expect(text).toBe(said);
  });

  it("is not there when the run wrote none, or when a link stands in its place", async () => {
    await using silent = await planeWithLog(async (_, root) => {
      await mkdir(root, { recursive: true });
    });
    const none = await read(silent, "runs/run-here", runDetailSchema);
    expect(none.log).toEqual({ available: false, reason: "The run has written no log." });
    expect(await read(silent, "runs/run-here/log", runLogSchema)).toMatchObject({
      text: "",
      sizeBytes: 0,
      isOver: true,
    });
    await using linked = await planeWithLog(async (intent, root) => {
      const { folder, log } = runPaths(root, intent);
      await mkdir(folder, { recursive: true });
      await writeFile(join(root, "secret"), "for nobody");
      await symlink(join(root, "secret"), log);
    });
    const answer = await linked.call("GET", "/api/v1/runs/run-here/log");
    expect(answer.text).not.toContain("for nobody");
  });
});
