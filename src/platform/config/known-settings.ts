import { rootSection } from "./sections/root.ts";
import { isSection, type Section, type Setting } from "./setting.ts";

/** A setting with its place in the file, in the environment and in the resolved object. */
export interface KnownSetting {
  /** The key as the file spells it: `server.bodyLimit`. */
  readonly key: string;
  /** Its environment variable; undefined when only the file may say it. */
  readonly variable: string | undefined;
  /** The path in the resolved object: `["server", "bodyLimitBytes"]`. */
  readonly target: readonly string[];
  readonly setting: Setting;
}

/** Every setting there is, in the order of their declaration. */
export const knownSettings: readonly KnownSetting[] = collect(rootSection, [], []);

const byKey = new Map(knownSettings.map((known) => [known.key, known]));

export function findSetting(key: string): KnownSetting | undefined {
  return byKey.get(key);
}

/** `server.bodyLimit` is `TESSERA_SERVER_BODY_LIMIT` in the environment. */
function variableOf(key: string): string {
  const words = key.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).replaceAll(".", "_");
  return `TESSERA_${words.toUpperCase()}`;
}

function collect(
  section: Section,
  path: readonly string[],
  target: readonly string[],
): KnownSetting[] {
  return Object.entries(section.items).flatMap(([name, item]) => {
    const key = [...path, name].join(".");
    if (isSection(item)) return collect(item, [...path, name], [...target, name]);
    const variable = item.fileOnly ? undefined : variableOf(key);
    return [{ key, variable, target: [...target, item.as ?? name], setting: item }];
  });
}
