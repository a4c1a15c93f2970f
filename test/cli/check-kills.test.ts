import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createRng } from "../../src/platform/rng/index.ts";
import { createRealClock, sleep } from "../../src/platform/time/index.ts";
import { runCli, startCli } from "../support/built-cli.ts";
import { missing } from "../support/missing.ts";
import { processesIn } from "../support/processes-in.ts";
import { tempDir } from "../support/temp-dir.ts";
import { waitUntil } from "../support/wait-until.ts";

const kills = Number(process.env["TESSERA_KILLS"] ?? 6);
const seed = process.env["TESSERA_KILL_SEED"] ?? "kill the check";
const clock = createRealClock();
const mebibyte = 2 ** 20;
const noFio = missing("fio");

describe.skipIf(noFio !== "")(`a check that is killed with -9${noFio}`, () => {
  test(
    `at ${kills} random moments leaves no process, and no file once the next has run`,
    async () => {
      const rng = createRng(seed).stream("moments");
      const [directory, temp] = [join(await tempDir(), "mount"), await tempDir()];
      await mkdir(directory);
      const run = (options: object) => [
        "check",
        "run",
        "storage-io",
        "--options",
        JSON.stringify({ directory, sizeBytes: 8 * mebibyte, ...options }),
      ];
      const short = { runtimeMs: 300, rampMs: 0, jobs: 2, files: 50, verifyBytes: mebibyte };
      const env = { TMPDIR: temp };
      let left = 0;
      for (let kill = 0; kill < kills; kill++) {
        const checkpointBytes = mebibyte;
        const args = run({ ...short, checkpointBytes });
        const { child, result } = await startCli(args, { env });
        await sleep(clock, rng.int(4000));
        child.kill("SIGKILL");
        await result;
        await waitUntil("everything it had started has ended", () => {
          return processesIn(directory).length === 0;
        });
        left += (await readdir(directory)).length;
      }
      // Otherwise the moments have missed what this is about.
      if (kills >= 6) expect(left).toBeGreaterThan(0);
      const { code, stderr } = await runCli(run({ ...short, patterns: ["verify"] }), { env });
      expect(code, stderr).toBe(0);
      expect(await readdir(directory)).toEqual([]);
      expect(await readdir(temp)).toEqual([]);
    },
    60_000 + kills * 10_000,
  );
});
