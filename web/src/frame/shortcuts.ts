import { navigationGroups } from "./navigation-entries.ts";

/** What a key does, given the key before it. */
export type ShortcutDeed =
  | { readonly kind: "go"; readonly to: string }
  | { readonly kind: "search" }
  | { readonly kind: "help" }
  | { readonly kind: "prefix" };

const places: ReadonlyMap<string, string> = new Map(
  navigationGroups.flatMap(({ entries }) =>
    entries.flatMap(({ key, href }) => (key === undefined ? [] : [[key, href] as const])),
  ),
);

/** `g` and a letter go to a page, `/` searches, `?` helps; anything else is not ours. */
export function shortcutOf(key: string, isAfterG: boolean): ShortcutDeed | undefined {
  if (isAfterG) {
    const to = places.get(key);
    return to === undefined ? undefined : { kind: "go", to };
  }
  switch (key) {
    case "g":
      return { kind: "prefix" };
    case "/":
      return { kind: "search" };
    case "?":
      return { kind: "help" };
    default:
      return undefined;
  }
}
