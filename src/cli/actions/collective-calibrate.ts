import { resolve } from "node:path";
import { exitCodes, TesseraError } from "../../platform/errors/index.ts";
import { writeFileAtomic } from "../../platform/files/index.ts";
import { topologyOf } from "../../runtime/dist/topology/index.ts";
import { calibrate, calibrationTable, topologyText } from "../collective/calibrate.ts";
import { text } from "../collective/request.ts";
import { readMeasurement } from "../collective/saved.ts";
import type { Action } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";
import { usageError } from "../usage-error.ts";

const likeDefault = "hgx-h100";
const filesMax = 1000;

/** `tessera collective calibrate` */
export const run: Action = async ({ args, io, globals, options }) => {
  if (args.length > filesMax) {
    throw usageError("collective calibrate", `At most ${filesMax} files at once`);
  }
  const saved = await Promise.all(
    args.map(async (name) => ({ name, saved: await readMeasurement(resolve(io.cwd, name), name) })),
  );
  const wrong = saved.find((one) => one.saved.points.some((point) => point.wrong > 0));
  if (wrong !== undefined) {
    const problem = "a collective gave wrong elements there, so its times mean nothing";
    throw new TesseraError("E_MEASUREMENT", { file: wrong.name, problem });
  }
  const like = topologyOf(
    text(options["like"]) ??
      saved.find((one) => isKnown(one.saved.topology))?.saved.topology ??
      likeDefault,
  );
  const name = text(options["name"]) ?? "own-host";
  if (!/^[a-z0-9][a-z0-9.-]{0,39}$/.test(name)) {
    throw usageError(
      "collective calibrate",
      `\`--name ${name}\` is not lower-case letters, digits, - and .`,
    );
  }
  const calibration = calibrate(saved, { name, like: like.name });
  const yaml = topologyText(calibration);
  const output = text(options["output"]);
  if (output !== undefined) await writeFileAtomic(resolve(io.cwd, output), yaml);
  if (globals.json) {
    writeJson(io.stdout, { topology: calibration.topology, fits: calibration.fits });
  } else if (output === undefined) {
    io.stdout.write(yaml);
  } else {
    for (const line of calibrationTable(calibration)) writeLine(io.stdout, line);
    writeLine(io.stdout, "");
    writeLine(io.stdout, `Written to ${output}; \`--topology ${output}\` now models this machine.`);
  }
  return exitCodes.good;
};

function isKnown(name: string | undefined): boolean {
  if (name === undefined) return false;
  try {
    topologyOf(name);
    return true;
  } catch {
    return false;
  }
}
