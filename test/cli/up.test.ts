import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli, startCli } from "../support/built-cli.ts";
import { tempDir } from "../support/temp-dir.ts";
import { type RunningUp, startUp } from "../support/up.ts";

const upArgs = (dataDir: string, ...more: string[]) => [
  "up",
  "--port",
  "0",
  "--data-dir",
  dataDir,
  ...more,
];
const isReady = (text: string) => text.includes("\n");

describe("tessera up", () => {
  it.each(["SIGINT", "SIGTERM"] as const)(
    "tells its steps on stderr, one ready line on stdout, and %s ends it well",
    async (signal) => {
      const dataDir = join(await tempDir(), "data");
      const running = await startCli(upArgs(dataDir));
      const ready = await running.untilStdout(isReady);
      expect(ready).toMatch(/^tessera is ready at http:\/\/127\.0\.0\.1:\d+\n$/);
      running.child.kill(signal);
      const { code, stdout, stderr } = await running.result;
      expect(code).toBe(0);
      expect(stdout).toBe(`${ready}tessera stopped\n`);
      const steps = stderr.split("\n").map((line) => line.split("  ", 1)[0]);
      expect(steps).toEqual(
        expect.arrayContaining(["data folder", "store", "token", "listening", "doctor"]),
      );
      expect(stderr).toContain(join(dataDir, "admin-token"));
      expect(stderr).not.toContain("tessera_");
      expect((await readdir(dataDir)).filter((name) => name.endsWith(".lock"))).toEqual([]);
    },
  );

  it("speaks JSON lines to programs", async () => {
    const running = await startCli(upArgs(await tempDir(), "--json", "--quiet"));
    await running.untilStdout(isReady);
    running.child.kill("SIGINT");
    const { code, stdout, stderr } = await running.result;
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
    expect(events).toEqual([
      { event: "ready", url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) },
      { event: "stopped" },
    ]);
    expect([code, stderr]).toEqual([0, ""]);
  });

  it("stops well while it is still starting", async () => {
    const running = await startCli(upArgs(await tempDir()));
    await new Promise<void>((resolve) => {
      running.child.stderr?.on("data", () => resolve());
    });
    running.child.kill("SIGINT");
    const { code, stdout } = await running.result;
    expect(code).toBe(0);
    expect(stdout).toMatch(/tessera stopped\n$/);
  });

  it("refuses a port that is no number, in one paragraph", async () => {
    const { code, stdout, stderr } = await runCli(["up", "--port", "high"]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^E_CONFIG_INVALID: .*--port/s);
  });
});

describe("a data folder", () => {
  it("is refused to a second one, by name of the first, which goes on", async () => {
    const first = await startUp();
    const second = await runCli(upArgs(first.dataDir, "--quiet"));
    expect(second.code).toBe(2);
    expect(second.stderr).toMatch(/^E_DATA_DIR_IN_USE: [^\n]+\n$/);
    expect(second.stderr).toContain(`process ${first.pid}`);
    expect((await fetch(`${first.url}/healthz`)).status).toBe(200);
    expect((await first.stop()).code).toBe(0);
  });

  it("is taken over after kill -9, with everything that was in it", async () => {
    const dataDir = await tempDir();
    const first = await startUp([], { TESSERA_DATA_DIR: dataDir });
    const headers = {
      authorization: `Bearer ${first.token}`,
      "content-type": "application/json",
    };
    const body = JSON.stringify({ name: "made before the kill", role: "read" });
    const made = await fetch(`${first.url}/api/v1/tokens`, { method: "POST", headers, body });
    expect(made.status).toBe(201);
    process.kill(first.pid, "SIGKILL");
    expect((await first.stop()).code).toBe(137);

    const second = await startUp([], { TESSERA_DATA_DIR: dataDir });
    expect(second.token).toBe(first.token);
    const tokens = await fetch(`${second.url}/api/v1/tokens`, { headers });
    expect(await tokens.text()).toContain("made before the kill");
    const audit = (await (await fetch(`${second.url}/api/v1/audit`)).json()) as {
      entries: { action: string }[];
    };
    const actions = audit.entries.map((entry) => entry.action);
    expect(actions).toEqual(["start", "token.create", "token.create", "start"]);
    expect((await second.stop()).code).toBe(0);
  });
});

describe("the built product", () => {
  let up: RunningUp;
  beforeAll(async () => {
    up = await startUp();
  });
  afterAll(() => up.stop());

  it.each([
    ["/", "text/html; charset=utf-8", "<title>Tessera"],
    ["/healthz", "application/json", '"alive":true'],
    ["/readyz", "application/json", '"ready":true'],
    ["/api/v1/status", "application/json", '"engine":"SQLite'],
    ["/api/v1/openapi.json", "application/json", '"openapi":"3.1.0"'],
    ["/metrics", "text/plain; version=0.0.4; charset=utf-8", "tessera_build_info{"],
  ])("serves %s", async (path, type, says) => {
    const response = await fetch(up.url + path);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, type]);
    expect(await response.text()).toContain(says);
  });
});
