import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { sql } from "kysely";
import { openStore } from "../../../src/platform/store/index.ts";
import { openEngine } from "../../../src/platform/store/open-store.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";
import {
  fromCli,
  type Provocation,
  type ProvocationContext,
  type Provoked,
} from "../provocation.ts";

const clock = createRealClock();

/** Starts the control plane on a store that it cannot use. */
async function upWith(
  { cli, tempDir }: ProvocationContext,
  env: Readonly<Record<string, string>>,
): Promise<Provoked> {
  const dataDir = { TESSERA_DATA_DIR: tempDir };
  return fromCli(await cli(["up", "--port", "0"], { env: { ...dataDir, ...env } }));
}

/** Starts it on a store that was first made, then changed by one statement. */
async function upAfter(context: ProvocationContext, statement: string): Promise<Provoked> {
  const url = `sqlite:${join(context.tempDir, "t.db")}`;
  await (await openStore({ url, clock })).close();
  const engine = await openEngine({ url, clock });
  await sql.raw(statement).execute(engine.db);
  await engine.close();
  return upWith(context, { TESSERA_STORE_URL: url });
}

export const provocations: readonly Provocation[] = [
  {
    code: "E_STORE_URL",
    how: "a store in memory",
    provoke: (context) => upWith(context, { TESSERA_STORE_URL: "sqlite::memory:" }),
  },
  {
    code: "E_STORE_URL",
    how: "a PostgreSQL URL with a port that is no number, in the configuration file",
    provoke: async (context) => {
      const file = join(context.tempDir, "tessera.yaml");
      await writeFile(file, "version: 1\nstore:\n  url: postgres://db.internal:port/tessera\n");
      const env = { TESSERA_DATA_DIR: context.tempDir };
      return fromCli(await context.cli(["up", "--port", "0", "--config", file], { env }));
    },
  },
  {
    code: "E_STORE_DRIVER",
    how: "an installation without the optional package libsql",
    provoke: async (context) => {
      const missing = join(context.tempDir, "without-libsql.cjs");
      await writeFile(
        missing,
        `const Module = require("node:module");
        const resolve = Module._resolveFilename;
        Module._resolveFilename = (name, ...rest) => {
          if (name === "libsql") throw new Error("Cannot find module 'libsql'");
          return resolve(name, ...rest);
        };`,
      );
      return await upWith(context, { NODE_OPTIONS: `--require=${missing}` });
    },
  },
  {
    code: "E_STORE_UNUSABLE",
    how: "a PostgreSQL server that is not there",
    provoke: (context) =>
      upWith(context, { TESSERA_STORE_URL: "postgres://ann:s3cret@127.0.0.1:1/tessera" }),
  },
  {
    code: "E_STORE_UNUSABLE",
    how: "a folder where the file should be",
    provoke: (context) => upWith(context, { TESSERA_STORE_URL: `sqlite:${context.tempDir}` }),
  },
  {
    code: "E_STORE_BUSY",
    how: "another program that keeps the file locked",
    provoke: async (context) => {
      const path = join(context.tempDir, "t.db");
      await (await openStore({ url: `sqlite:${path}`, clock })).close();
      const Database = createRequire(import.meta.url)("libsql") as new (
        path: string,
      ) => {
        exec(sql: string): void;
        close(): void;
      };
      const other = new Database(path);
      other.exec("begin immediate");
      try {
        return await upWith(context, { TESSERA_STORE_URL: `sqlite:${path}` });
      } finally {
        other.exec("rollback");
        other.close();
      }
    },
  },
  {
    code: "E_STORE_CORRUPT",
    how: "a file that is no database",
    provoke: async (context) => {
      const path = join(context.tempDir, "notes.txt");
      await writeFile(path, "buy milk\n".repeat(500));
      return await upWith(context, { TESSERA_STORE_URL: `sqlite:${path}` });
    },
  },
  {
    code: "E_STORE_NEWER",
    how: "a store that a newer Tessera has used",
    provoke: (context) =>
      upAfter(context, "insert into tessera_migrations values (9999, 'future', 'x', 0)"),
  },
  {
    code: "E_STORE_HISTORY",
    how: "a store whose history was tampered with",
    provoke: (context) => upAfter(context, "update tessera_migrations set checksum = 'x'"),
  },
];
