import { useEffect, useRef } from "preact/hooks";
import { navigate } from "../router.ts";
import { isAfterPrefix, keepPrefix } from "./prefix.ts";
import { shortcutOf } from "./shortcuts.ts";

/** Hears the shortcuts wherever nothing is being typed and no dialog is open. */
export function useShortcuts(open: { search(): void; help(): void }): void {
  const latest = useRef(open);
  latest.current = open;
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.defaultPrevented || document.querySelector("dialog[open]") !== null) return;
      const deed = shortcutOf(event.key, isAfterPrefix(event));
      keepPrefix(deed?.kind === "prefix" ? event : undefined);
      if (deed === undefined || deed.kind === "prefix") return;
      event.preventDefault();
      if (deed.kind === "go") navigate(deed.to);
      else latest.current[deed.kind]();
    };
    document.addEventListener("keydown", hear);
    return () => document.removeEventListener("keydown", hear);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest("input, textarea, select") !== null;
}
