import { exitCodes } from "../../platform/errors/index.ts";
import { formatDurationMs } from "../../platform/units/index.ts";
import type { Action } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";

/** `tessera check list`: the checks there are, and which can run on this machine. */
export const run: Action = async ({ clock, config, globals, io, signal }) => {
  const { checkCatalogue, createPlugInCheck, describeCheckHost, findGpus } = await import(
    "../../validation/checks/index.ts"
  );
  const { plugins } = (await config()).values.validation;
  const { models } = await findGpus({ clock, signal, env: io.env });
  const host = describeCheckHost(models, io.env);
  const all = [...checkCatalogue, ...plugins.map(createPlugInCheck)];
  const checks = all.map((check) => {
    const { name, title, minutes, sensitivity, falseAlarm, figures } = check;
    const requirement = check.requirements(host);
    const reason = requirement.met ? null : requirement.reason;
    return {
      name,
      title,
      minutes,
      figures,
      sensitivity,
      falseAlarm,
      available: requirement.met,
      reason,
    };
  });
  if (globals.json) {
    writeJson(io.stdout, { checks });
    return exitCodes.good;
  }
  const width = Math.max(...checks.map(({ name }) => name.length));
  for (const { name, title, minutes, reason } of checks) {
    const duration = formatDurationMs(minutes * 60_000);
    writeLine(io.stdout, `${name.padEnd(width)}  ${title}, ${duration}`);
    if (reason !== null) writeLine(io.stdout, `${" ".repeat(width)}  not here: ${reason}`);
  }
  return exitCodes.good;
};
