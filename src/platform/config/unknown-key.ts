import { findSetting, knownSettings } from "./known-settings.ts";
import { closest } from "./suggest.ts";

const shownLengthMax = 80;

const secretName = /token|passw|secret|api_?-?key|credential/i;

/** Why a key of the file is refused, with the key that was probably meant. */
export function describeUnknownKey(key: string): string {
  if (findSetting(key) !== undefined) {
    return `\`${key}\` must be written as \`${lastPart(key)}:\` below \`${sectionOf(key)}:\``;
  }
  const suggestion = suggestKey(key);
  const shown = printable(key);
  if (suggestion === undefined && secretName.test(lastPart(key))) {
    return `\`${shown}\` looks like a secret, and secrets do not belong in this file; use TESSERA_TOKEN or \`server.tokenFile\` for the token, PGPASSWORD for a database`;
  }
  const meant = suggestion === undefined ? "" : ` (did you mean \`${suggestion}\`?)`;
  return `unknown key \`${shown}\`${meant}`;
}

/** A key may be any text, also one that would steer a terminal or fill it. */
function printable(key: string): string {
  const text = JSON.stringify(key).slice(1, -1);
  return text.length <= shownLengthMax ? text : `${text.slice(0, shownLengthMax)}...`;
}

/** A mistyped name in its own section first, then the right name in the wrong place. */
function suggestKey(key: string): string | undefined {
  const section = sectionOf(key);
  return (
    suggestName(
      key,
      [...candidates()].filter(([, known]) => sectionOf(known) === section),
    ) ?? suggestName(key, [...candidates()])
  );
}

function suggestName(
  key: string,
  candidates: readonly (readonly [string, string])[],
): string | undefined {
  const name = closest(
    lastPart(key),
    candidates.map(([candidate]) => candidate),
  );
  return candidates.find(([candidate]) => candidate === name)?.[1];
}

/** Every name a person may think of, with the key it stands for: also the resolved object's names. */
function* candidates(): Generator<readonly [string, string]> {
  const sections = new Set(knownSettings.map(({ key }) => sectionOf(key)).filter((s) => s !== ""));
  for (const section of sections) yield [section, section];
  for (const { key, setting } of knownSettings) {
    yield [lastPart(key), key];
    if (setting.as !== undefined) yield [setting.as, key];
  }
}

function sectionOf(key: string): string {
  return key.slice(0, Math.max(0, key.lastIndexOf(".")));
}

function lastPart(key: string): string {
  return key.slice(key.lastIndexOf(".") + 1);
}
