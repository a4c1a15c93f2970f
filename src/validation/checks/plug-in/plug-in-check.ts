import { z } from "zod";
import { formatBytes } from "../../../platform/units/index.ts";
import { type Check, type CheckHost, defineCheck, type Requirement } from "../check.ts";
import { programFailed, runProgram } from "../command/index.ts";
import { type Manifest, type ReadManifest, readManifest } from "./manifest.ts";
import { readOutput } from "./read-output.ts";

/** What is put among a check's options to say where its manifest lies. */
export const plugInKey = "plugin";

/**
 * A check that a manifest describes, in a file or in the folder that has it.
 *
 * @throws TesseraError E_PLUGIN_INVALID
 */
export function createPlugInCheck(fileOrFolder: string): Check {
  const read = readManifest(fileOrFolder);
  const { manifest } = read;
  const { name, title, minutes, sensitivity, falseAlarm } = manifest;
  return defineCheck({
    name,
    title,
    minutes,
    sensitivity,
    falseAlarm,
    figures: Object.fromEntries(
      Object.entries(manifest.figures).map(([figure, { unit = "" }]) => [figure, unit]),
    ),
    options: z.preprocess(withoutPlace, read.options),
    requirements: (host) => requirementOf(read, host),
    run: async (context) => {
      const options = z.record(z.string(), z.unknown()).parse(context.options);
      const value = await runProgram({ check: name, command: read.command, options, context });
      const found = readOutput(value, manifest);
      if ("output" in found) return found.output;
      throw programFailed(name, `the last line it wrote to stdout is no result: ${found.problem}`);
    },
  });
}

/** The options of a plug-in without the one that is ours. */
function withoutPlace(options: unknown): unknown {
  if (typeof options !== "object" || options === null) return options;
  return Object.fromEntries(Object.entries(options).filter(([key]) => key !== plugInKey));
}

function requirementOf({ command, manifest }: ReadManifest, host: CheckHost): Requirement {
  const reason = lacking(manifest, { host, program: command[0] ?? "" });
  return reason === undefined ? { met: true } : { met: false, reason };
}

function lacking(
  { needs }: Manifest,
  { host, program }: { readonly host: CheckHost; readonly program: string },
): string | undefined {
  const { gpus = 0, programs = [], memoryBytes = 0 } = needs;
  if (host.gpus.length < gpus) {
    return `it needs ${gpus} ${gpus === 1 ? "GPU" : "GPUs"}, and there ${host.gpus.length === 1 ? "is 1" : `are ${host.gpus.length}`}`;
  }
  if (host.memoryBytes < memoryBytes) return `it needs ${formatBytes(memoryBytes)} of memory`;
  const missing = [program, ...programs].find((name) => host.hasProgram?.(name) === false);
  return missing === undefined ? undefined : `it needs ${missing}, and there is none`;
}
