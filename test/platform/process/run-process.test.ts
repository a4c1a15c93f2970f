import { existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  ProcessStartError,
  type RunProcessOptions,
  runProcess,
} from "../../../src/platform/process/index.ts";
import { createRealClock, VirtualClock } from "../../../src/platform/time/index.ts";
import { isRunning } from "../../support/is-running.ts";
import { missing } from "../../support/missing.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { waitUntil } from "../../support/wait-until.ts";

const lacking = missing("cat", "env", "ls", "printf", "setsid", "sleep", "touch", "true");

const clock = createRealClock();

function run(file: string, args: readonly string[], options: Partial<RunProcessOptions> = {}) {
  return runProcess(file, args, { clock, timeoutMs: 20_000, ...options });
}

const shell = (script: string, options?: Partial<RunProcessOptions>) =>
  run("/bin/sh", ["-c", script], options);

describe.skipIf(lacking)(`runProcess${lacking}`, () => {
  it("returns output and exit code", async () => {
    const result = await shell("echo out; echo err >&2; exit 3");
    expect(result).toMatchObject({
      exitCode: 3,
      signal: null,
      stdout: "out\n",
      stderr: "err\n",
      truncated: false,
      timedOut: false,
    });
  });

  it("returns the signal that ended the program", async () => {
    expect(await shell("kill -KILL $$")).toMatchObject({ exitCode: null, signal: "SIGKILL" });
  });

  it("hands arguments over as they are, without a shell", async () => {
    const args = ["%s|", "$HOME", "; exit 1", "a b", "*", '"', ""];
    expect((await run("printf", args)).stdout).toBe(`${args.slice(1).join("|")}|`);
  });

  it("feeds the input, and no input is an empty one", async () => {
    expect((await run("cat", [], { input: "grüße" })).stdout).toBe("grüße");
    expect((await run("cat", [], { input: Uint8Array.of(104, 105) })).stdout).toBe("hi");
    expect((await run("cat", [])).stdout).toBe("");
  });

  it("copes with a program that does not read its input", async () => {
    expect(await run("true", [], { input: "x".repeat(1_000_000) })).toMatchObject({ exitCode: 0 });
  });

  it("runs in the folder asked for", async () => {
    const folder = await tempDir();
    expect((await run("pwd", [], { cwd: folder })).stdout.trim()).toBe(realpathSync(folder));
  });

  it("measures the duration on the clock it was given", async () => {
    const result = await run("true", [], { clock: new VirtualClock() });
    expect(result.durationMs).toBe(0);
  });
});

describe.skipIf(lacking)(`the environment${lacking}`, () => {
  it("is inherited, with variables added and taken away", async () => {
    const env = { TESSERA_TEST: "added", HOME: undefined };
    const { stdout } = await run("env", [], { env });
    expect(stdout).toContain("TESSERA_TEST=added\n");
    expect(stdout).toContain("PATH=");
    expect(stdout).not.toMatch(/^HOME=/m);
  });

  it("is inherited only as far as a list allows", async () => {
    const options = { envInherit: ["PATH", "NOT_SET_ANYWHERE"], env: { EXTRA: "1" } };
    const { stdout } = await run("env", [], options);
    const names = stdout
      .trim()
      .split("\n")
      .map((line) => line.replace(/=.*/, ""))
      // Where bash is the system's shell, every program has its level.
      .filter((name) => name !== "SHLVL");
    expect(names.toSorted()).toEqual(["EXTRA", "PATH"]);
  });
});

describe.skipIf(lacking)(`a program that cannot be started${lacking}`, () => {
  it("is named when it does not exist", async () => {
    await expect(run("tessera-no-such-program", [])).rejects.toMatchObject({
      name: "ProcessStartError",
      message: "Cannot start tessera-no-such-program: there is no such program",
      program: "tessera-no-such-program",
      missing: true,
      cause: expect.objectContaining({ code: "ENOENT" }),
    });
  });

  it("is told apart from a folder that does not exist", async () => {
    await expect(run("true", [], { cwd: "/no/such/folder" })).rejects.toMatchObject({
      message: "Cannot start true: the folder /no/such/folder to run it in does not exist",
      missing: false,
    });
  });

  it("may not be executable", async () => {
    const file = join(await tempDir(), "plain-file");
    writeFileSync(file, "text", { mode: 0o644 });
    await expect(run(file, [])).rejects.toThrow("not executable");
  });

  it("may have arguments that are too long", async () => {
    await expect(run("true", ["x".repeat(10_000_000)])).rejects.toThrow("too long");
  });

  it("may have an argument that no program can have", async () => {
    await expect(run("true", ["a\0b"])).rejects.toThrow(ProcessStartError);
  });
});

describe.skipIf(lacking)(`limits${lacking}`, () => {
  it("keep the beginning and the end of too much output", async () => {
    const script =
      "printf begin; head -c 1000000 /dev/zero | tr '\\0' x; printf end; echo short >&2";
    const { stdout, stderr, truncated } = await shell(script, { outputBytesMax: 100 });
    expect(stdout).toMatch(/^beginx{45}\n\[999908 bytes left out\]\nx{47}end$/);
    expect(stderr).toBe("short\n");
    expect(truncated).toBe(true);
  });

  /** Runs a script until it has made a file called `ready`, then lets its time run out. */
  async function runOutOfTime(script: string) {
    const cwd = await tempDir();
    const virtual = new VirtualClock();
    const running = shell(script, { cwd, clock: virtual, timeoutMs: 60_000, graceMs: 1000 });
    await waitUntil("the program is ready", () => existsSync(join(cwd, "ready")));
    await virtual.advance(60_000);
    let ended = false;
    void running.finally(() => {
      ended = true;
    });
    await waitUntil("the program ended", async () => {
      await virtual.advance(100);
      return ended;
    });
    expect(virtual.timersPending).toBe(0);
    return running;
  }

  it("end a program whose time is up, with what it said so far", async () => {
    const result = await runOutOfTime("echo begun; touch ready; exec sleep 300");
    expect(result).toMatchObject({ timedOut: true, signal: "SIGTERM", stdout: "begun\n" });
  });

  it("kill a program that does not end when told to", async () => {
    // The shell ignores SIGTERM, and so does what it starts.
    const result = await runOutOfTime("trap '' TERM; touch ready; sleep 300; sleep 300");
    expect(result).toMatchObject({ timedOut: true, signal: "SIGKILL" });
  });
});

describe.skipIf(lacking)(`what a program leaves behind${lacking}`, () => {
  it("in its group ends with it", async () => {
    const { stdout, exitCode } = await shell("sleep 300 & echo $!");
    expect(exitCode).toBe(0);
    await waitUntil("the grandchild is gone", () => !isRunning(Number(stdout)));
  });

  it("outside of its group does not hold up the result", async () => {
    const cwd = await tempDir();
    const leaver = "setsid sh -c 'echo $$ > pid; exec sleep 300' &";
    const { exitCode } = await shell(`${leaver} until [ -s pid ]; do sleep 0.01; done`, { cwd });
    const pid = Number(readFileSync(join(cwd, "pid"), "utf8"));
    expect(isRunning(pid)).toBe(true);
    expect(exitCode).toBe(0);
    process.kill(pid, "SIGKILL");
  });
});

describe.skipIf(lacking)(`aborting${lacking}`, () => {
  it("ends the program and its children, then rejects with the reason", async () => {
    const folder = await tempDir();
    const controller = new AbortController();
    const script = "sleep 300 & echo $! > pid; echo ready > ready; wait";
    const running = shell(script, { cwd: folder, signal: controller.signal });
    const outcome = expect(running).rejects.toThrow("interrupted");
    await waitUntil("the program is ready", () => existsSync(join(folder, "ready")));
    controller.abort(new Error("interrupted"));
    await outcome;
    const grandchild = Number(readFileSync(join(folder, "pid"), "utf8"));
    await waitUntil("the grandchild is gone", () => !isRunning(grandchild));
  });

  it("before the start starts nothing", async () => {
    const folder = await tempDir();
    const signal = AbortSignal.abort(new Error("before"));
    await expect(run("touch", ["made"], { cwd: folder, signal })).rejects.toThrow("before");
    expect((await run("ls", [], { cwd: folder })).stdout).toBe("");
  });

  it("after the end changes nothing", async () => {
    const controller = new AbortController();
    const result = await run("true", [], { signal: controller.signal });
    controller.abort();
    expect(result.exitCode).toBe(0);
  });
});
