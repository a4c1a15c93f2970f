import type { JsonObject } from "../../../platform/store/index.ts";
import { invalid } from "./manifest.ts";
import { createPlugInCheck, plugInKey } from "./plug-in-check.ts";

/** Where the manifest of each check lies, by the check's name. */
export type PlugIns = ReadonlyMap<string, string>;

/**
 * The checks that these manifests describe.
 *
 * @param reserved names that are taken, and by what.
 * @throws TesseraError E_PLUGIN_INVALID for one that is not valid, or a second one of a name.
 */
export function collectPlugIns(
  paths: readonly string[],
  reserved: Readonly<Record<string, string>>,
): PlugIns {
  const found = new Map<string, string>();
  for (const path of paths) {
    const { name } = createPlugInCheck(path);
    const other = found.get(name) ?? reserved[name];
    if (other !== undefined) throw invalid(path, `name: ${other} has the name ${name} already`);
    found.set(name, path);
  }
  return found;
}

/** The options of a check, which say where its manifest lies when it is a plug-in. */
export function withPlugIn(
  plugIns: PlugIns,
  { name, options }: { readonly name: string; readonly options: JsonObject },
): JsonObject {
  const path = plugIns.get(name);
  const isNamed = options[plugInKey] !== undefined || options["command"] !== undefined;
  return path === undefined || isNamed ? options : { [plugInKey]: path, ...options };
}
