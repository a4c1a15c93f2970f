import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createRealClock } from "../../../src/platform/time/real-clock.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { Component } from "../supervisor/component.ts";

/** A program that ends at once the first time, and stays when it is started again. */
async function hesitant(startAttempts: number): Promise<Component> {
  const folder = await tempDir();
  const been = join(folder, "been");
  const ready = join(folder, "ready");
  const script = `[ -e ${been} ] && { touch ${ready}; exec sleep 60; }; touch ${been}; echo taken; exit 1`;
  const spec = {
    name: "hesitant",
    program: "/bin/sh",
    args: ["-c", script],
    healthy: async () => existsSync(ready),
    startAttempts,
  };
  const env = { PATH: process.env["PATH"] ?? "" };
  return new Component(spec, { clock: createRealClock(), env, logFile: join(folder, "log") });
}

it("a program that ends before it is healthy is started again as often as it may be", async () => {
  const component = await hesitant(2);
  await component.start();
  expect(await component.status()).toMatchObject({ state: "running", healthy: true });
  await component.kill("SIGKILL");
});

it("one that may be started once fails with its last words", async () => {
  const component = await hesitant(1);
  await expect(component.start()).rejects.toThrow(/hesitant ended: exit status 1.*taken/s);
});
