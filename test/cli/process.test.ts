import { execFile, spawn } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import {
  type CliResult,
  distDir,
  type RunningCli,
  runCli,
  startCli,
} from "../support/built-cli.ts";
import { missing } from "../support/missing.ts";
import { tempDir } from "../support/temp-dir.ts";

const script = join(import.meta.dirname, "behaviours.mjs");
const env = { DIST: distDir };
const behave = (...args: string[]) => runCli(args, { script, env });
const begin = async (...args: string[]) => {
  const running = await startCli(args, { script, env });
  await running.untilStdout((text) => text.includes("waiting"));
  return running;
};

/** Presses Ctrl-C again and again, as somebody does who does not want to wait. */
async function pressUntilEnded(running: RunningCli): Promise<CliResult> {
  const presses = setInterval(() => running.child.kill("SIGINT"), 50);
  try {
    return await running.result;
  } finally {
    clearInterval(presses);
  }
}

describe("exit codes", () => {
  test.each([
    ["good", 0],
    ["failed", 1],
    ["undecided", 3],
  ])("%s ends with %i", async (name, code) => {
    expect(await behave(name)).toMatchObject({ code, stderr: "" });
  });

  test("wrong usage ends with 2", async () => {
    expect((await behave("godo")).code).toBe(2);
  });
});

describe("signals", () => {
  test.each(["SIGINT", "SIGTERM"] as const)(
    "%s stops a command, which ends with 130",
    async (signal) => {
      const running = await begin("waits");
      running.child.kill(signal);
      const { code, stderr } = await running.result;
      expect(code).toBe(130);
      expect(stderr).toMatch(new RegExp(`^E_INTERRUPTED: Interrupted by ${signal}\\. [^\\n]+\\n$`));
    },
  );

  test("an operation that only says it was aborted counts as interrupted", async () => {
    const running = await begin("waits-vaguely");
    running.child.kill("SIGINT");
    expect(await running.result).toMatchObject({
      code: 130,
      stderr: expect.stringMatching(/^E_INTERRUPTED/),
    });
  });

  test("a command that stops in order says itself how it ended", async () => {
    const running = await begin("stops");
    running.child.kill("SIGINT");
    expect(await running.result).toEqual({ code: 0, stdout: "waiting\nstopped\n", stderr: "" });
  });

  test("one press of Ctrl-C that arrives twice, as it does under npm, still stops cleanly", async () => {
    const running = await begin("stops");
    running.child.kill("SIGINT");
    // Another signal, because the kernel makes one of two that are the same.
    running.child.kill("SIGTERM");
    expect(await running.result).toEqual({ code: 0, stdout: "waiting\nstopped\n", stderr: "" });
  });

  test("a second SIGINT does not wait for the command, but lets exit handlers run", async () => {
    const running = await begin("ignores");
    running.child.kill("SIGINT");
    await running.untilStdout((text) => text.includes("heard"));
    const { code, stdout } = await pressUntilEnded(running);
    expect(code).toBe(130);
    expect(stdout).toContain("cleaned up");
  });

  const noPipes = missing("mkfifo");
  test.skipIf(noPipes)(
    `a second SIGINT ends the process even while a read never returns${noPipes}`,
    async () => {
      const pipe = join(await tempDir(), "pipe");
      await promisify(execFile)("mkfifo", [pipe]);
      const running = await begin("blocks", pipe);
      running.child.kill("SIGINT");
      await running.untilStdout((text) => text.includes("heard"));
      expect((await pressUntilEnded(running)).code).toBe(130);
    },
  );
});

describe("failures nobody foresaw", () => {
  test.each(["throws", "rejects", "crashes"])(
    "%s is one paragraph and ends with 3",
    async (name) => {
      const { code, stdout, stderr } = await behave(name);
      expect(code).toBe(3);
      expect(stdout).toBe("");
      expect(stderr).toMatch(/^E_INTERNAL: [^\n]+\n$/);
    },
  );

  test("--verbose adds the stack", async () => {
    const { code, stderr } = await behave("throws", "--verbose");
    expect(code).toBe(3);
    expect(stderr).toMatch(/^E_INTERNAL: /);
    expect(stderr).toContain("Error: the inner workings\n    at ");
  });

  test.each(["throws", "crashes"])("--json puts %s on stdout as well", async (name) => {
    const { stdout, stderr } = await behave(name, "--json");
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "E_INTERNAL" } });
    expect(stderr).toMatch(/^E_INTERNAL: /);
  });

  test("secrets are masked everywhere", async () => {
    const { stdout, stderr } = await behave("secret", "--json", "--verbose");
    expect(stdout + stderr).toContain("postgres://u:***@db/x");
    expect(stdout + stderr).not.toContain("hunter2");
  });
});

describe("output", () => {
  test("everything is written before the process ends, however slow the reader", async () => {
    const running = await startCli(["pages"], { script, env });
    running.child.stdout?.pause();
    setImmediate(() => running.child.stdout?.resume());
    const { code, stdout } = await running.result;
    expect(code).toBe(1);
    expect(stdout.length).toBe(5_000_000);
  });

  test("a reader that has seen enough ends the command without a word", async () => {
    const running = await startCli(["pours"], { script, env });
    await running.untilStdout((text) => text.length > 10_000);
    running.child.stdout?.destroy();
    const { code, stderr } = await running.result;
    expect(stderr).toBe("");
    expect(code).toBe(141);
  });

  test("output that cannot be stored is a failure", async () => {
    const child = spawn(
      "sh",
      ["-c", 'exec "$0" "$@" > /dev/full', process.execPath, script, "pages"],
      {
        env: { ...env, PATH: process.env["PATH"] },
        stdio: ["ignore", "ignore", "pipe"],
      },
    );
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect(stderr).toMatch(/^E_FILE_WRITE: Cannot write stdout: ENOSPC/);
    expect(code).toBe(3);
  });
});
