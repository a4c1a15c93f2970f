import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { startControlPlane } from "../../src/control/start-control-plane.ts";
import { auditLog, findings, openStore, tokens } from "../../src/platform/store/index.ts";
import { createRealClock } from "../../src/platform/time/real-clock.ts";
import { SseReader } from "../platform/http/events/sse.ts";
import { tempDir } from "../support/temp-dir.ts";
import { planeOptions, startPlane } from "./support.ts";

const good = "a-token-that-is-long-enough-to-be-used";

describe("the first start", () => {
  it("makes the administrator's token, in a file for its owner only, its hash in the store", async () => {
    await using test = await startPlane();
    const path = join(test.dataDir, "admin-token");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(test.token).toMatch(/^tessera_/);
    const kept = await tokens.list(test.plane.store.db);
    expect(kept).toMatchObject([{ name: "first-admin", role: "admin" }]);
    expect(JSON.stringify(kept)).not.toContain(test.token);
    expect(test.logged()).not.toContain(test.token);
    expect((await test.call("GET", "/api/v1/tokens", { token: test.token })).status).toBe(200);
  });

  it("reports its steps in order", async () => {
    const steps: string[] = [];
    const options = planeOptions(await tempDir(), { onStep: ({ step }) => steps.push(step) });
    const plane = await startControlPlane(options);
    await plane.stop();
    expect(steps).toEqual(["store", "token", "listening"]);
  });
});

describe("a later start", () => {
  it("keeps the token, the findings and the audit log", async () => {
    const dataDir = await tempDir();
    const first = await startPlane({ dataDir });
    await first.plane.doctor.run();
    await first.plane.stop();
    await using second = await startPlane({ dataDir });
    expect(second.token).toBe(first.token);
    expect(second.plane.adminToken.kind).toBe("kept");
    await second.plane.doctor.run();
    expect(await findings.history(second.plane.store.db, "store")).toHaveLength(2);
    const actions = (await auditLog.list(second.plane.store.db)).map((entry) => entry.action);
    expect(actions).toEqual(["start", "stop", "start"]);
  });

  it("makes a new token when none is good any more", async () => {
    const dataDir = await tempDir();
    const first = await startPlane({ dataDir });
    const [admin] = await tokens.list(first.plane.store.db);
    await tokens.revoke(first.plane.store.db, { id: admin?.id ?? "", atMs: 1 });
    await first.plane.stop();
    await using second = await startPlane({ dataDir });
    expect(second.token).not.toBe(first.token);
    expect((await second.call("GET", "/api/v1/tokens", { token: first.token })).status).toBe(401);
    expect((await second.call("GET", "/api/v1/tokens", { token: second.token })).status).toBe(200);
  });

  it("does not bring back a file that its owner took away", async () => {
    const dataDir = await tempDir();
    const first = await startPlane({ dataDir });
    await first.plane.stop();
    await rm(join(dataDir, "admin-token"));
    await using second = await startPlane({ dataDir });
    expect(await readdir(dataDir)).not.toContain("admin-token");
    expect((await second.call("GET", "/api/v1/tokens", { token: first.token })).status).toBe(200);
  });
});

describe("a token from outside", () => {
  it("comes from the environment and is kept nowhere", async () => {
    const env = { TESSERA_TOKEN: good };
    await using test = await startPlane({ env });
    expect(test.token).toBe("");
    expect((await test.call("GET", "/api/v1/tokens", { token: good })).json).toEqual({
      tokens: [],
      next: null,
    });
    expect(await readFile(join(test.dataDir, "tessera.db"), "latin1")).not.toContain(good);
    expect((await test.call("GET", "/api/v1/tokens", { token: `${good}x` })).status).toBe(401);
  });

  it("comes from a file, without the line break at its end", async () => {
    const tokenFile = join(await tempDir(), "token");
    await writeFile(tokenFile, `${good}\n`);
    await using test = await startPlane({ tokenFile });
    expect((await test.call("GET", "/api/v1/tokens", { token: good })).status).toBe(200);
  });

  it.each([
    ["short", "only 5 characters"],
    ["", "only 0 characters"],
    [`${"x".repeat(40)} y`, "characters that a header cannot carry"],
    [`${"x".repeat(20)}=${"x".repeat(20)}`, "characters that a header cannot carry"],
    ["x".repeat(513), "too many of them"],
  ])("is refused when it is %j", async (TESSERA_TOKEN, says) => {
    const options = planeOptions(await tempDir(), { env: { TESSERA_TOKEN } });
    const refused = startControlPlane(options);
    await expect(refused).rejects.toMatchObject({
      code: "E_TOKEN_SOURCE",
      message: expect.stringContaining(says),
    });
    await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining("xxxx") });
  });
});

describe("an address that other machines can reach", () => {
  it("is refused while nobody has decided on a token", async () => {
    const dataDir = await tempDir();
    await expect(
      startControlPlane(planeOptions(dataDir, { host: "0.0.0.0" })),
    ).rejects.toMatchObject({
      code: "E_TOKEN_NOT_CONFIGURED",
      exitCode: 2,
      hint: expect.stringContaining("TESSERA_TOKEN"),
    });
    // What was opened before is closed again: the folder is free.
    await (await startControlPlane(planeOptions(dataDir))).stop();
  });

  it("is fine with a token made earlier", async () => {
    const dataDir = await tempDir();
    await (await startControlPlane(planeOptions(dataDir))).stop();
    await using test = await startPlane({ dataDir, host: "0.0.0.0" });
    expect((await test.call("GET", "/api/v1/status")).status).toBe(401);
    expect((await test.call("GET", "/api/v1/status", { token: test.token })).status).toBe(200);
  });
});

describe("two at once", () => {
  it("do not share a data folder", async () => {
    await using test = await startPlane();
    await expect(startControlPlane(planeOptions(test.dataDir))).rejects.toMatchObject({
      code: "E_DATA_DIR_IN_USE",
    });
    expect((await test.call("GET", "/healthz")).status).toBe(200);
  });

  it("do not share a port, and the second leaves its folder free", async () => {
    await using test = await startPlane();
    const dataDir = await tempDir();
    const options = planeOptions(dataDir);
    const { server } = options.config;
    const config = { ...options.config, server: { ...server, port: test.plane.port } };
    await expect(startControlPlane({ ...options, config })).rejects.toMatchObject({
      code: "E_PORT_IN_USE",
    });
    expect((await readdir(dataDir)).filter((name) => name.endsWith(".lock"))).toEqual([]);
  });
});

describe("stopping", () => {
  it("tells a caller who waits for the doctor that it was interrupted", async () => {
    const test = await startPlane();
    test.machine.hold = new Promise(() => {});
    const answer = test.call("POST", "/api/v1/doctor/runs", { token: test.token });
    await vi.waitFor(() => expect(test.machine.visits).toBe(1), { timeout: 15_000 });
    await test.plane.stop();
    const { status, json } = await answer;
    expect([status, json["code"]]).toEqual([503, "E_INTERRUPTED"]);
  });

  it("ends a doctor run and event streams, closes the store, frees the folder, once", async () => {
    const test = await startPlane();
    test.machine.hold = new Promise(() => {});
    const run = expect(test.plane.doctor.run()).rejects.toThrow();
    using reader = await SseReader.open(test.plane);
    await Promise.all([test.plane.stop(), test.plane.stop()]);
    await run;
    expect(reader.types).toContain("bye");
    expect((await readdir(test.dataDir)).filter((name) => name.endsWith(".lock"))).toEqual([]);
    const store = await openStore({
      url: `sqlite:${join(test.dataDir, "tessera.db")}`,
      clock: createRealClock(),
    });
    const [last] = await auditLog.list(store.db);
    expect(last).toMatchObject({ action: "stop", actor: "tessera" });
    await store.close();
  });
});
