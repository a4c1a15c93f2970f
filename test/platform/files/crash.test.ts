import { spawn } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { removeLeftoverTemps } from "../../../src/platform/files/index.ts";
import { runProcess } from "../../../src/platform/process/index.ts";
import { createRng } from "../../../src/platform/rng/index.ts";
import { createRealClock, sleep, VirtualClock } from "../../../src/platform/time/index.ts";
import { bundleProgram } from "../../support/bundle-program.ts";
import { tempDir } from "../../support/temp-dir.ts";

const clock = createRealClock();
const sizeBytes = 256 * 1024;

// Writes the file over and over, each time full of another letter, and says when it has begun.
const writer = `
  import { writeFileAtomic } from "./src/platform/files/index.ts";
  const [path, size] = [process.argv[2], Number(process.argv[3])];
  for (let round = 0; ; round++) {
    await writeFileAtomic(path, String.fromCharCode(97 + (round % 26)).repeat(size));
    if (round === 0) process.stdout.write("begun");
  }
`;

describe("a writer that is killed", () => {
  it("leaves the old content or the new, whole, every time", async () => {
    const program = await bundleProgram(await tempDir(), "writer", writer);
    const folder = await tempDir();
    const path = join(folder, "file");
    const rng = createRng("crash").stream("delay");
    for (let kill = 0; kill < 8; kill++) {
      const child = spawn(process.execPath, [program, path, String(sizeBytes)]);
      const exited = new Promise((resolve) => child.once("exit", resolve));
      await new Promise((resolve) => child.stdout.once("data", resolve));
      // The moment is chosen at random, to hit each step of the writing.
      await sleep(clock, rng.float() * 10);
      child.kill("SIGKILL");
      await exited;
      expect(readFileSync(path, "latin1")).toMatch(/^(.)\1*$/);
      expect(statSync(path).size).toBe(sizeBytes);
    }
    const later = new VirtualClock({ epochMs: clock.nowMs() + 7_200_000 });
    await removeLeftoverTemps(folder, { clock: later });
    expect(readdirSync(folder)).toEqual(["file"]);
  });
});

describe("a writer that may not write so much", () => {
  // A limit on the size of files stands for a full disk: the write fails half-way.
  const limited = `
    import { readdirSync } from "node:fs";
    import { writeFileAtomic } from "./src/platform/files/index.ts";
    process.on("SIGXFSZ", () => {});
    const [folder] = process.argv.slice(2);
    const error = await writeFileAtomic(folder + "/file", "y".repeat(1e6)).catch((error) => error);
    console.log(JSON.stringify({ code: error.code, message: error.message, left: readdirSync(folder) }));
  `;

  it("keeps the old content, removes the half-written file and says why", async () => {
    const program = await bundleProgram(await tempDir(), "limited", limited);
    const folder = await tempDir();
    writeFileSync(join(folder, "file"), "old");
    const script = 'ulimit -f 64; exec "$@"';
    const args = ["-c", script, "sh", process.execPath, program, folder];
    const result = await runProcess("/bin/sh", args, { clock, timeoutMs: 20_000 });
    expect(JSON.parse(result.stdout)).toEqual({
      code: "E_FILE_WRITE",
      message: expect.stringContaining("larger than files may be here"),
      left: ["file"],
    });
    expect(readFileSync(join(folder, "file"), "utf8")).toBe("old");
  });
});
