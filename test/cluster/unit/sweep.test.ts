import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { createRealClock } from "../../../src/platform/time/real-clock.ts";
import { completeShape } from "../machine/availability.ts";
import { identify, isRunning } from "../machine/processes.ts";
import { waitFor } from "../machine/wait.ts";
import { claimFolder } from "../registry/folders.ts";
import { pathsOf } from "../registry/paths.ts";
import { readRecord } from "../registry/record.ts";
import { sweepDead } from "../registry/sweep.ts";

const clock = createRealClock();
const root = mkdtempSync(join(tmpdir(), "tessera-sweep-"));
afterEach(() => rmSync(root, { recursive: true, force: true }));

it("a sweep waits for a keeper that has removed the folder and not yet ended", async () => {
  const name = `swept-${process.pid}`;
  const script = 'read _; rm -rf "$1"; echo removed; sleep 0.5';
  const child = spawn("/bin/sh", ["-c", script, "keeper", join(root, name)], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const keeper = identify(child.pid ?? 0);
  const creator = identify(process.pid);
  if (keeper === undefined || creator === undefined) throw new Error("no such process");
  const shape = completeShape({});
  const folder = claimFolder({ name, shape, creator, keeper }, root);
  const record = readRecord(pathsOf(folder));

  child.stdin.write("\n");
  await waitFor({ clock, what: "the keeper to remove the folder", timeoutMs: 30_000 }, async () => {
    return !existsSync(folder);
  });
  await sweepDead(clock, folder, record);
  expect(isRunning(keeper)).toBe(false);
});
