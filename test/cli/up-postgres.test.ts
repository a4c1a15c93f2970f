import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "../support/built-cli.ts";
import { type PostgresServer, postgresMissing, startPostgres } from "../support/postgres.ts";
import { tempDir } from "../support/temp-dir.ts";
import { startUp } from "../support/up.ts";

const reason = postgresMissing();
const skipped = reason === undefined ? "" : ` (skipped: ${reason})`;

describe.skipIf(reason !== undefined)(`tessera up on PostgreSQL${skipped}`, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres({ fsync: false });
  });
  afterAll(async () => {
    await server.stop();
  });

  it("needs one setting, and keeps tokens and the audit log over a restart", async () => {
    const env = {
      TESSERA_STORE_URL: await server.createDatabase(),
      TESSERA_DATA_DIR: join(await tempDir(), "data"),
    };
    const first = await startUp([], env);
    const created = await fetch(`${first.url}/api/v1/tokens`, {
      method: "POST",
      headers: { authorization: `Bearer ${first.token}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "ci", role: "read" }),
    });
    expect(created.status).toBe(201);
    expect((await first.stop()).code).toBe(0);

    const second = await startUp([], env);
    const status = await (await fetch(`${second.url}/api/v1/status`)).json();
    expect(status).toMatchObject({ store: { engine: expect.stringMatching(/^PostgreSQL \d/) } });
    const audit = JSON.stringify(await (await fetch(`${second.url}/api/v1/audit`)).json());
    expect(audit).toContain("token.create");
    expect((await second.stop()).code).toBe(0);
  });

  it("says in one paragraph that the server does not let it in, without the password", async () => {
    const url = (await server.createDatabase()).replace(
      "postgres://",
      "postgres://nobody:hunter2@",
    );
    const { code, stderr } = await runCli(["up", "--quiet", "--port", "0"], {
      env: { TESSERA_STORE_URL: url },
    });
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/^E_STORE_/);
    expect(stderr).not.toContain("hunter2");
  });
});
