import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { run } from "../../../src/cli/actions/sdc-bench.ts";
import type { Invocation } from "../../../src/cli/invocation.ts";
import { createRealClock } from "../../../src/platform/time/real-clock.ts";
import { tempDir } from "../../support/temp-dir.ts";

function collected(): Writable & { text(): string } {
  const parts: string[] = [];
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      parts.push(String(chunk));
      done();
    },
  });
  return Object.assign(stream, { text: () => parts.join("") });
}

function invocationIn(cwd: string, more: Partial<Invocation> = {}) {
  const [stdout, stderr] = [collected(), collected()];
  const invocation: Invocation = {
    args: [],
    options: { quick: true, size: "64" },
    globals: { json: true, seed: "9" },
    io: { stdout, stderr, env: {}, cwd },
    clock: createRealClock(),
    signal: new AbortController().signal,
    config: () => Promise.reject(new Error("not needed")),
    log: () => Promise.reject(new Error("not needed")),
    ...more,
  };
  return { invocation, stdout, stderr };
}

describe("`tessera sdc bench`", () => {
  it("prints one JSON document and writes the page that is asked for", async () => {
    const cwd = await tempDir();
    const given = { options: { quick: true, size: "64", html: "sdc.html" } };
    const { invocation, stdout, stderr } = invocationIn(cwd, given);
    expect(await run(invocation)).toBe(0);
    const document = JSON.parse(stdout.text()) as Record<string, unknown>;
    expect(document).toMatchObject({
      seed: "9",
      side: 64,
      uncalibrated: "inconclusive",
      provenance: { campaign: "modelled", others: "measured" },
    });
    expect(stderr.text()).toBe("");
    expect(await readFile(join(cwd, "sdc.html"), "utf8")).toContain("Mean time to detection");
  });

  it("stops when it is interrupted", async () => {
    const signal = AbortSignal.abort(new Error("interrupted"));
    const { invocation, stdout } = invocationIn(await tempDir(), { signal });
    await expect(run(invocation)).rejects.toThrow("interrupted");
    expect(stdout.text()).toBe("");
  });
});
