import { stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditLog, openStore, tokens } from "../../src/platform/store/index.ts";
import { VirtualClock } from "../../src/platform/time/virtual-clock.ts";
import { runCli } from "../support/built-cli.ts";
import { tempDir } from "../support/temp-dir.ts";
import { type RunningUp, startUp } from "../support/up.ts";
import { runHere } from "./in-process.ts";

interface Made {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly token: string;
  readonly expiresAt: string | null;
}

/** A store without a server, and the commands on it. */
async function emptyStore() {
  const url = `sqlite:${join(await tempDir(), "t.db")}`;
  const clock = new VirtualClock();
  const within = async <T>(use: (store: Awaited<ReturnType<typeof openStore>>) => Promise<T>) => {
    const store = await openStore({ url, clock });
    try {
      return await use(store);
    } finally {
      await store.close();
    }
  };
  await within(async () => {});
  const env = { TESSERA_STORE_URL: url, USER: "ann" };
  const cli = (...args: readonly string[]) => runHere(["token", ...args], { env });
  const make = async (...args: readonly string[]) =>
    JSON.parse((await cli("create", ...args, "--json")).stdout) as Made;
  return { cli, make, within };
}

describe("tessera token beside a server that runs", () => {
  let up: RunningUp;
  beforeAll(async () => {
    up = await startUp();
  });
  afterAll(() => up.stop());

  const cli = (...args: readonly string[]) =>
    runCli(["token", ...args], { env: { TESSERA_DATA_DIR: up.dataDir, USER: "ann" } });
  const callWith = (token: string, path = "/api/v1/tokens") =>
    fetch(up.url + path, { headers: { authorization: `Bearer ${token}` } });

  it("makes one that is taken at once, and printed alone; revoked, it is refused at once", async () => {
    const made = await cli("create", "ann", "--role", "admin", "--reason", "the file is lost");
    expect(made.code).toBe(0);
    expect(made.stdout).toMatch(/^tessera_[\w-]{43}\n$/);
    const token = made.stdout.trim();
    expect(made.stderr).toContain("the role admin");
    expect(made.stderr).not.toContain(token);
    expect((await callWith(token)).status).toBe(200);

    const id = /the id (\w+)/.exec(made.stderr)?.[1] ?? "";
    expect((await cli("revoke", id)).code).toBe(0);
    const refused = await callWith(token);
    expect(refused.status).toBe(401);
    expect(await refused.text()).toContain("revoked");
    expect((await callWith(up.token)).status).toBe(200);
  });

  it("makes one that may do what its role says and no more", async () => {
    const { token } = JSON.parse(
      (await cli("create", "prometheus", "--role", "read", "--json")).stdout,
    ) as Made;
    expect((await callWith(token, "/metrics")).status).toBe(200);
    expect((await callWith(token)).status).toBe(403);
  });
});

describe("tessera token", () => {
  it("tells programs what was made, and keeps only the hash", async () => {
    const { make, within } = await emptyStore();
    const made = await make("ci", "--role", "operate", "--expires", "30d");
    const days = 30 * 86_400_000;
    const expiresAt = new Date(new VirtualClock().nowMs() + days).toISOString();
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      name: "ci",
      role: "operate",
      token: expect.stringMatching(/^tessera_/),
      expiresAt,
    });
    const kept = await within((store) => tokens.list(store.db));
    expect(kept).toMatchObject([{ id: made.id, role: "operate" }]);
    expect(JSON.stringify(kept)).not.toContain(made.token);
    expect((await make("for ever", "--role", "read")).expiresAt).toBeNull();
  });

  it("lists who has one and how it stands, never the token itself", async () => {
    const { cli, make } = await emptyStore();
    expect((await cli("list")).stdout).toBe("There is no token in the store.\n");
    const [one, other] = [
      await make("ci", "--role", "operate", "--expires", "12h"),
      await make("gone", "--role", "read"),
    ];
    await cli("revoke", other.id);
    const table = await cli("list");
    expect(table.stdout).toMatch(new RegExp(`${one.id} +ci +operate +good `));
    expect(table.stdout).toMatch(new RegExp(`${other.id} +gone +read +revoked `));
    const json = await cli("list", "--json");
    expect((JSON.parse(json.stdout) as { tokens: object[] }).tokens).toHaveLength(2);
    for (const { token } of [one, other]) {
      expect(table.stdout + table.stderr + json.stdout).not.toContain(token);
    }
  });

  it("leaves in the audit log who made and revoked what, and why", async () => {
    const { cli, make, within } = await emptyStore();
    const made = await make("ci", "--role", "read", "--expires", "1d", "--reason", "the pipeline");
    expect((await cli("revoke", made.id, "--reason", "moved")).stdout).toContain("is revoked");
    expect((await cli("revoke", made.id)).code).toBe(0);
    const entries = await within((store) => auditLog.list(store.db));
    expect(entries.toReversed()).toMatchObject([
      {
        actor: "ann",
        action: "token.create",
        subject: made.id,
        details: { name: "ci", role: "read", expiresIn: "1d", reason: "the pipeline" },
      },
      { actor: "ann", action: "token.revoke", subject: made.id, details: { reason: "moved" } },
      { actor: "ann", action: "token.revoke", subject: made.id, details: {} },
    ]);
    expect(JSON.stringify(entries)).not.toContain(made.token);
  });

  it.each([
    ["a role there is not", ["ci", "--role", "root"], "read, operate, inject, admin"],
    ["no role", ["ci"], "`--role` is missing"],
    ["no name", ["--role", "read"], "name"],
    ["a name with signs", ["<ann>", "--role", "read"], "`<name>` must be 1 to 64 letters"],
    ["a time that is none", ["ci", "--role", "read", "--expires", "soon"], "such as 30d or 12h"],
    ["no time at all", ["ci", "--role", "read", "--expires", "0s"], "`--expires` must be more"],
    ["a time too long", ["ci", "--role", "read", "--expires", "4000d"], "at most ten years"],
  ])("refuses %s, says what it takes, and makes nothing", async (_, args, says) => {
    const { cli, within } = await emptyStore();
    const { code, stdout, stderr } = await cli("create", ...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^E_USAGE: /);
    expect(stderr).toContain(says);
    expect(await within((store) => tokens.list(store.db))).toEqual([]);
    expect(await within((store) => auditLog.list(store.db))).toEqual([]);
  });

  it("revokes nothing where there is no such token", async () => {
    const { cli, make, within } = await emptyStore();
    const made = await make("ci", "--role", "read");
    const { code, stderr } = await cli("revoke", made.id.slice(0, 8));
    expect(code).toBe(2);
    expect(stderr).toContain("E_NOT_FOUND");
    expect(stderr).toContain("tessera token list");
    const [kept] = await within((store) => tokens.list(store.db));
    expect(kept).not.toHaveProperty("revokedAtMs");
  });

  it("does not create a store to put one in", async () => {
    const path = join(await tempDir(), "t.db");
    const env = { TESSERA_STORE_URL: `sqlite:${path}` };
    const commands = [["create", "ci", "--role", "read"], ["list"], ["revoke", "x"]];
    for (const command of commands) {
      const { code, stderr } = await runHere(["token", ...command], { env });
      expect(code).toBe(3);
      expect(stderr).toContain("E_STORE_MISSING");
    }
    await expect(stat(path)).rejects.toMatchObject({ code: "ENOENT" });
  });
});
