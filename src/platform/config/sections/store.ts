import { z } from "zod";
import { section, setting } from "../setting.ts";

export const storeSection = section("Where history is kept.", {
  url: setting(
    z.string().regex(/^(sqlite:.+|postgres(ql)?:\/\/.+)$/, {
      error: "must be `sqlite:PATH` or `postgres://HOST/DATABASE`",
    }),
    {
      description:
        "`sqlite:PATH` for a file on a local disk, `postgres://HOST/DATABASE` for PostgreSQL. A password belongs in `PGPASSWORD` or, as part of the URL, in `TESSERA_STORE_URL`; never in the file.",
      default: ({ value }) => `sqlite:${String(value("dataDir"))}/tessera.db`,
      defaultText: "`sqlite:` and `tessera.db` in the data folder",
      examples: ["postgres://tessera@db.internal/tessera"],
      path: absoluteSqlitePath,
      secret: hasPassword,
    },
  ),
});

function absoluteSqlitePath(url: string, absolute: (path: string) => string): string {
  const path = /^sqlite:(?<path>.+)$/.exec(url)?.groups?.["path"];
  return path === undefined || path === ":memory:" ? url : `sqlite:${absolute(path)}`;
}

function hasPassword(value: unknown): boolean {
  if (typeof value !== "string") return false;
  return /:\/\/[^/?#]*:[^/?#]*@/.test(value) || /[?&]password=/i.test(value);
}
