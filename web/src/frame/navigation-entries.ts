export interface NavigationEntry {
  readonly href: string;
  readonly title: string;
  /** Pressed after `g`. */
  readonly key?: string;
  /** Other paths that belong to it. */
  readonly also?: readonly string[];
}

export interface NavigationGroup {
  readonly title: string;
  readonly entries: readonly NavigationEntry[];
}

export const navigationGroups: readonly NavigationGroup[] = [
  { title: "", entries: [{ href: "/", title: "Overview", key: "o" }] },
  {
    title: "Validation",
    entries: [
      { href: "/fleet", title: "Fleet", key: "f", also: ["/nodes"] },
      { href: "/queue", title: "Queue", key: "q" },
      { href: "/runs", title: "Runs", key: "r" },
      { href: "/baselines", title: "Baselines", key: "b" },
      { href: "/reports", title: "Reports" },
    ],
  },
  {
    title: "Recovery",
    entries: [
      { href: "/experiments", title: "Experiments", key: "e" },
      { href: "/faults", title: "Hardware faults", key: "h" },
    ],
  },
  {
    title: "Models",
    entries: [
      { href: "/collectives", title: "Collectives", key: "c" },
      { href: "/scaling", title: "Scaling", key: "s" },
    ],
  },
  {
    title: "System",
    entries: [
      { href: "/machine", title: "Machine", key: "m" },
      { href: "/notifications", title: "Notifications", key: "n" },
      { href: "/audit", title: "Audit", key: "a" },
      { href: "/tokens", title: "Tokens", key: "t" },
    ],
  },
];

/** Whether a path is the entry's page or one below it. */
export function isCurrent(entry: NavigationEntry, path: string): boolean {
  if (entry.href === "/") return path === "/";
  return [entry.href, ...(entry.also ?? [])].some(
    (place) => path === place || path.startsWith(`${place}/`),
  );
}
