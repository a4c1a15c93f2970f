import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { exitCodes } from "../../platform/errors/index.ts";
import { formatBytes } from "../../platform/units/index.ts";
import { withExistingStore } from "../existing-store.ts";
import type { Action } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";

/** `tessera store backup`: a copy of one moment. */
export const run: Action = async (invocation) => {
  const { args, globals, io } = invocation;
  const path = resolve(io.cwd, args[0] ?? "");
  const schemaVersion = await withExistingStore(invocation, async ({ store }) => {
    await store.backup(path);
    return store.schemaVersion;
  });
  const { size } = await stat(path);
  if (globals.json) writeJson(io.stdout, { path, bytes: size, schemaVersion });
  else
    writeLine(io.stdout, `${path} holds the store, ${formatBytes(size)}, schema ${schemaVersion}.`);
  return exitCodes.good;
};
