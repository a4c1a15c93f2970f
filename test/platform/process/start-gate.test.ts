import { spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runProcess } from "../../../src/platform/process/index.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";
import { bundleProgram } from "../../support/bundle-program.ts";
import { missing } from "../../support/missing.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { waitUntil } from "../../support/wait-until.ts";

const lacking = missing("env", "printf", "sleep");
const kills = Number(process.env["TESSERA_KILLS"] ?? 8);
const clock = createRealClock();

// Starts programs, several at a time, and is gone at a chosen moment of the nth start: the very
// moment it has a process and nobody else knows of it, or some steps of the event loop later.
const program = `
  import childProcess from "node:child_process";
  import { syncBuiltinESMExports } from "node:module";
  import { startProcess } from "./src/platform/process/index.ts";
  import { createRealClock } from "./src/platform/time/index.ts";
  const [nth, steps, marker] = process.argv.slice(2);
  const end = (left) => left === 0 ? process.kill(process.pid, "SIGKILL") : setImmediate(end, left - 1);
  const real = childProcess.spawn;
  let count = 0;
  childProcess.spawn = (file, args, options) => {
    const child = real(file, args, options);
    if (args.includes(marker) && ++count === Number(nth)) end(Number(steps));
    return child;
  };
  syncBuiltinESMExports();
  const clock = createRealClock();
  await Promise.all(Array.from({ length: 4 }, () =>
    startProcess("/bin/sh", ["-c", "sleep 300; true", marker], { clock })));
  setInterval(() => {}, 1000);
`;

/** Processes with a word among their arguments. */
function processesWith(word: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(word);
    } catch {
      return false; // Not a process, or one that ended while we looked.
    }
  });
}

describe.skipIf(lacking)(`a program that is being started${lacking}`, () => {
  const limitMs = 60_000 + kills * 2000;
  it(`does not outlive whoever is killed in that moment, ${kills} times`, {
    timeout: limitMs,
  }, async () => {
    const file = await bundleProgram(await tempDir(), "parent", program);
    for (let kill = 0; kill < kills; kill++) {
      const marker = `started-by-${process.pid}-${kill}`;
      // Every other one at the very moment of a start: the first, the second, ...
      const [nth, steps] = [1 + (Math.floor(kill / 2) % 4), kill % 2 === 0 ? 0 : kill % 7];
      const parent = spawn(process.execPath, [file, String(nth), String(steps), marker]);
      await new Promise((resolve) => parent.once("close", resolve));
      expect(parent.signalCode).toBe("SIGKILL");
      try {
        await waitUntil("all it had started are gone", () => processesWith(marker).length === 0);
      } finally {
        for (const pid of processesWith(marker)) process.kill(-Number(pid), "SIGKILL");
      }
    }
  });

  it("gets its arguments and variables as they are", async () => {
    const text = fc.string({ unit: "grapheme", maxLength: 20 }).map((t) => t.replaceAll("\0", ""));
    const names = fc.stringMatching(/^[A-Za-z_.-][A-Za-z0-9_.-]{0,8}$/);
    const cases = fc.asyncProperty(
      fc.array(text),
      fc.dictionary(names, text),
      async (args, env) => {
        const options = { clock, timeoutMs: 20_000, envInherit: [], env };
        const said = await runProcess(
          process.execPath,
          [
            "-e",
            "console.log(JSON.stringify([process.argv.slice(1), process.env]))",
            "--",
            ...args,
          ],
          options,
        );
        expect(JSON.parse(said.stdout)).toEqual([args, { ...env }]);
      },
    );
    await fc.assert(cases, { numRuns: 10 });
  });

  it.each(["IFS", "OPTIND", "PPID", "PS4", "name", "go", "_tessera", "with-hyphen", "with.dot"])(
    "gets a variable named %s, of which shells make something else",
    async (name) => {
      const options = {
        clock,
        timeoutMs: 20_000,
        envInherit: ["PATH"],
        env: { [name]: "its own" },
      };
      expect((await runProcess("env", [], options)).stdout).toContain(`${name}=its own\n`);
    },
  );

  it("is found in the folders of its own PATH, relative to where it runs, and nowhere else", async () => {
    const cwd = await tempDir();
    writeFileSync(join(cwd, "-c"), "#!/bin/sh\necho found\n", { mode: 0o755 });
    const run = (file: string, path: string) =>
      runProcess(file, [], { clock, timeoutMs: 20_000, cwd, env: { PATH: path } });
    expect(await run("-c", `/no/such/folder:${cwd}`)).toMatchObject({ stdout: "found\n" });
    expect(await run("-c", "/no/such/folder:.")).toMatchObject({ stdout: "found\n" });
    expect(await run("./-c", "/no/such/folder")).toMatchObject({ stdout: "found\n" });
    await expect(run("-c", "/no/such/folder")).rejects.toMatchObject({ missing: true });
  });

  it("does not inherit what it was let through by", async () => {
    const script = "if true <&3; then echo open; else echo closed; fi";
    const { stdout } = await runProcess("/bin/sh", ["-c", script], { clock, timeoutMs: 20_000 });
    expect(stdout).toBe("closed\n");
  });
});
