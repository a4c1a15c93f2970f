import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bundleProgram } from "../../support/bundle-program.ts";
import { isRunning } from "../../support/is-running.ts";
import { missing } from "../../support/missing.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { waitUntil } from "../../support/wait-until.ts";

const lacking = missing("cat", "env", "ls", "printf", "setsid", "sleep", "touch", "true");

// Starts a shell with a child of its own, prints both process ids, then does as it is told.
const program = `
  import { runProcess, startProcess } from "./src/platform/process/index.ts";
  import { createRealClock } from "./src/platform/time/index.ts";
  const [ending, dieWithParent] = process.argv.slice(2);
  const clock = createRealClock();
  process.on("SIGUSR2", () => process.exit(0));
  await runProcess("true", [], { clock, timeoutMs: 20000 });
  if (ending !== "use-and-end") {
    const running = await startProcess("/bin/sh", ["-c", "sleep 300 & echo $!; wait"], {
      clock,
      dieWithParent: dieWithParent !== "false",
      onLine: (line) => {
        console.log(running.pid + " " + line);
        if (ending === "exit") process.exit(0);
        if (ending === "throw") throw new Error("unforeseen");
      },
    });
  }
`;

async function startParent(...args: string[]): Promise<ChildProcess> {
  const file = await bundleProgram(await tempDir(), "parent", program);
  return spawn(process.execPath, [file, ...args], { stdio: ["ignore", "pipe", "ignore"] });
}

/** The processes the parent says it started: a shell and the shell's child. */
async function startedBy(parent: ChildProcess): Promise<number[]> {
  const text = await new Promise<string>((resolve) =>
    parent.stdout?.once("data", (d) => resolve(String(d))),
  );
  return text.trim().split(" ").map(Number);
}

function childrenOf({ pid }: ChildProcess): number[] {
  const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
  return pids.filter((other) => parentOf(other) === pid);
}

function parentOf(pid: number): number | undefined {
  try {
    return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  } catch {
    return undefined; // It ended while we looked.
  }
}

const ended = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

describe.skipIf(lacking)(`a process that started others${lacking}`, () => {
  it.each(["exit", "throw"])("takes them along when it ends by %s", async (ending) => {
    const parent = await startParent(ending);
    const pids = await startedBy(parent);
    expect(pids).toHaveLength(2);
    await waitUntil("the parent is gone", () => ended(parent));
    await waitUntil("its children are gone", () => !pids.some(isRunning));
  });

  it("takes them along when the guard over them was killed before", async () => {
    const parent = await startParent("stay");
    const pids = await startedBy(parent);
    const guards = childrenOf(parent).filter((pid) => !pids.includes(pid));
    expect(guards).toHaveLength(1);
    for (const guard of guards) process.kill(guard, "SIGKILL");
    await waitUntil("the guard is gone", () => !guards.some(isRunning));
    parent.kill("SIGUSR2");
    await waitUntil("its children are gone", () => !pids.some(isRunning));
    await waitUntil("the parent is gone", () => ended(parent));
    expect(parent.exitCode).toBe(0);
  });

  it("takes them along when it is killed by SIGKILL", async () => {
    const parent = await startParent("stay");
    const pids = await startedBy(parent);
    expect(pids.every(isRunning)).toBe(true);
    parent.kill("SIGKILL");
    await waitUntil("its children are gone", () => !pids.some(isRunning));
  });

  it("leaves those alone that it was told to leave alone", async () => {
    const parent = await startParent("stay", "false");
    const pids = await startedBy(parent);
    parent.kill("SIGKILL");
    await waitUntil("the parent is gone", () => ended(parent));
    expect(pids.every(isRunning)).toBe(true);
    for (const pid of pids) process.kill(pid, "SIGKILL");
  });

  it("is not kept alive by the guard over them", async () => {
    const parent = await startParent("use-and-end");
    await waitUntil("the parent ends by itself", () => ended(parent));
    expect(parent.exitCode).toBe(0);
  });
});
