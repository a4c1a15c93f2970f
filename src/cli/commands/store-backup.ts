import type { CommandSpec } from "../command-spec.ts";

export const storeBackupCommand: CommandSpec = {
  name: "store backup",
  summary: "copy the store to a new file while it is in use",
  description:
    "Writes the SQLite store as it is at one moment; the file gets its name only when it is whole and on the disk, and never replaces another. Whoever uses the store goes on. The copy is a store: put it in the place of the old one to restore it. Of PostgreSQL use pg_dump.",
  arguments: [
    { name: "<file>", description: "the copy, which must not exist yet", completes: "file" },
  ],
  examples: [
    {
      command: "tessera store backup /backups/tessera-monday.db",
      shows: "a copy beside the running `tessera up`",
    },
  ],
  reports: false,
  load: () => import("../actions/store-backup.ts"),
};
