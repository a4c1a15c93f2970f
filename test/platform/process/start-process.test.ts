import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  ProcessStartError,
  type StartProcessOptions,
  startProcess,
} from "../../../src/platform/process/index.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";
import { isRunning } from "../../support/is-running.ts";
import { missing } from "../../support/missing.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { waitUntil } from "../../support/wait-until.ts";

const lacking = missing("cat", "env", "ls", "printf", "setsid", "sleep", "touch", "true");

const clock = createRealClock();

/** Starts a shell script and collects the lines it prints. */
async function start(script: string, options: Partial<StartProcessOptions> = {}) {
  const lines: string[] = [];
  const onLine = (line: string, stream: string) => lines.push(`${stream}: ${line}`);
  const running = await startProcess("/bin/sh", ["-c", script], { clock, onLine, ...options });
  const printed = (line: string) =>
    waitUntil(`"${line}" was printed`, () => lines.includes(`stdout: ${line}`));
  return { running, lines, printed };
}

describe.skipIf(lacking)(`startProcess${lacking}`, () => {
  it("hands over each line as it comes, and the last one without a line end too", async () => {
    const { running, lines } = await start("echo one; echo; echo err >&2; printf last");
    expect(await running.exited).toEqual({ exitCode: 0, signal: null });
    expect(lines.filter((line) => line.startsWith("stdout"))).toEqual([
      "stdout: one",
      "stdout: ",
      "stdout: last",
    ]);
    expect(lines).toContain("stderr: err");
  });

  it("hands over lines while the program still runs", async () => {
    const { running, printed } = await start("echo ready; exec sleep 300");
    await printed("ready");
    expect(isRunning(running.pid)).toBe(true);
    await running.stop();
  });

  it("reads output that nobody listens to, so that the program does not block", async () => {
    const script = "head -c 3000000 /dev/zero | tr '\\0' '\\n'";
    const running = await startProcess("/bin/sh", ["-c", script], { clock });
    expect(await running.exited).toMatchObject({ exitCode: 0 });
  });

  it("rejects when the program cannot be started", async () => {
    await expect(startProcess("tessera-no-such-program", [], { clock })).rejects.toThrow(
      ProcessStartError,
    );
  });
});

describe.skipIf(lacking)(`stop${lacking}`, () => {
  it("ends the program and its children with SIGTERM", async () => {
    const { running, lines } = await start("sleep 300 & echo $!; wait");
    await waitUntil("the child is named", () => lines.length > 0);
    const child = Number(lines[0]?.split(" ")[1]);
    expect(isRunning(child)).toBe(true);
    expect(await running.stop()).toEqual({ exitCode: null, signal: "SIGTERM" });
    await waitUntil("the child is gone", () => !isRunning(child));
  });

  it("kills what does not end within the grace period", async () => {
    const { running, printed } = await start("trap '' TERM; echo ready; sleep 300; sleep 300");
    await printed("ready");
    expect(await running.stop({ graceMs: 50 })).toEqual({ exitCode: null, signal: "SIGKILL" });
  });

  it("gives children their grace period even when the program itself ends at once", async () => {
    const folder = await tempDir();
    const child =
      "trap 'sleep 0.3; echo saved > saved; exit' TERM; echo ready; while :; do sleep 0.01; done";
    // The program's own trap first: its child may say that it is ready before the next command.
    const script = `trap 'exit 5' TERM; ( ${child} ) & wait`;
    const { running, printed } = await start(script, { cwd: folder });
    await printed("ready");
    expect(await running.stop({ graceMs: 20_000 })).toEqual({ exitCode: 5, signal: null });
    expect(readFileSync(join(folder, "saved"), "utf8")).toBe("saved\n");
  });

  it("can be made more urgent while it waits", async () => {
    const { running, printed } = await start("trap '' TERM; echo ready; sleep 300; sleep 300");
    await printed("ready");
    const patient = running.stop({ graceMs: 600_000 });
    await running.stop({ graceMs: 0 });
    expect(await patient).toEqual({ exitCode: null, signal: "SIGKILL" });
  });

  it("of a program that has ended says how it ended", async () => {
    const { running } = await start("exit 4");
    await running.exited;
    expect(await running.stop()).toEqual({ exitCode: 4, signal: null });
  });

  it("happens by itself when the signal aborts", async () => {
    const controller = new AbortController();
    const { running, printed } = await start("echo ready; exec sleep 300", {
      signal: controller.signal,
    });
    await printed("ready");
    controller.abort();
    expect(await running.exited).toEqual({ exitCode: null, signal: "SIGTERM" });
  });
});
