#!/usr/bin/env node
import { writeSync } from "node:fs";
import { version } from "../version.ts";

// Scripts ask for the version often; nothing else is loaded to answer.
if (!answersVersion(process.argv.slice(2))) {
  const [{ runInThisProcess }, { commandTable }] = await Promise.all([
    import("./run-in-this-process.ts"),
    import("./commands/index.ts"),
  ]);
  await runInThisProcess(commandTable);
}

function answersVersion(args: readonly string[]): boolean {
  const [flag, ...rest] = args;
  if (rest.length > 0 || (flag !== "--version" && flag !== "-V")) return false;
  try {
    writeSync(1, `${version}\n`);
  } catch {
    // The reader has gone, or its pipe is full; the long way deals with both.
    return false;
  }
  return true;
}
