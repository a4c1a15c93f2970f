import type { LoadConfigOptions, ResolvedConfig } from "./resolved-config.ts";

export type {
  Config,
  ConfigEntry,
  FlagValue,
  LoadConfigOptions,
  Origin,
  OriginSource,
  ResolvedConfig,
} from "./resolved-config.ts";
export { closest, didYouMean } from "./suggest.ts";

/**
 * Resolves the configuration once: flags win over the environment, the environment over the file,
 * the file over defaults. Throws E_CONFIG_INVALID naming every problem with its place, or
 * E_CONFIG_FILE when the file cannot be read.
 */
export async function loadConfig(options: LoadConfigOptions): Promise<ResolvedConfig> {
  // The schema library and the YAML parser are worth a tenth of a second; not every command needs them.
  const { resolveConfig } = await import("./resolve.ts");
  return await resolveConfig(options);
}
