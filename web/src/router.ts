import { computed, signal } from "@preact/signals";

export { type Params, pathOf } from "./route-match.ts";

const place = signal(here());

/** The path of the page that is shown. */
export const path = computed(() => place.value.path);
/** What follows it after the question mark. */
export const search = computed(() => place.value.search);

if (typeof window !== "undefined") {
  window.addEventListener("popstate", () => {
    place.value = here();
  });
}

/** Goes to a page of the dashboard; `replace` leaves no trace in the history. */
export function navigate(to: string, options: { readonly replace?: boolean } = {}): void {
  const url = new URL(to, window.location.href);
  if (url.href === window.location.href) return;
  if (options.replace === true) window.history.replaceState(null, "", url);
  else window.history.pushState(null, "", url);
  const isOtherPage = url.pathname !== place.value.path;
  place.value = here();
  if (isOtherPage) window.scrollTo(0, 0);
}

/** A parameter of the page's query; a signal is read, so components follow it. */
export function queryParam(name: string): string | undefined {
  return new URLSearchParams(search.value).get(name) ?? undefined;
}

type Change = Readonly<Record<string, string | number | undefined>>;

/**
 * Changes parameters of the page's query; undefined and "" take one away. Only as a new place does
 * the browser's way back lead to what was there before.
 */
export function setQuery(change: Change, options: { readonly asNewPlace?: boolean } = {}): void {
  navigate(placeWith(change), { replace: options.asNewPlace !== true });
}

/** Where this page is with other parameters. A link to it leads to a new place. */
export function placeWith(change: Change): string {
  const params = new URLSearchParams(search.peek());
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined || value === "") params.delete(name);
    else params.set(name, String(value));
  }
  const text = params.toString();
  return `${path.peek()}${text === "" ? "" : `?${text}`}`;
}

function here(): { readonly path: string; readonly search: string } {
  if (typeof window === "undefined") return { path: "/", search: "" };
  return { path: window.location.pathname, search: window.location.search };
}
