import { describe, expect, it } from "vitest";
import { isCurrent, navigationGroups } from "../../../web/src/frame/navigation-entries.ts";
import { shortcutOf } from "../../../web/src/frame/shortcuts.ts";

const entries = navigationGroups.flatMap((group) => group.entries);

describe("shortcuts", () => {
  it("goes to pages with g and a letter", () => {
    expect(shortcutOf("g", false)).toEqual({ kind: "prefix" });
    expect(shortcutOf("o", true)).toEqual({ kind: "go", to: "/" });
    expect(shortcutOf("f", true)).toEqual({ kind: "go", to: "/fleet" });
    expect(shortcutOf("q", true)).toEqual({ kind: "go", to: "/queue" });
    expect(shortcutOf("e", true)).toEqual({ kind: "go", to: "/experiments" });
  });

  it("leaves a letter alone that does not follow g, and one that is nobody's", () => {
    expect(shortcutOf("o", false)).toBeUndefined();
    expect(shortcutOf("z", true)).toBeUndefined();
  });

  it("gives each letter to one page", () => {
    const keys = entries.flatMap(({ key }) => (key === undefined ? [] : [key]));
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe("the navigation", () => {
  it("marks the entry of a page and of what lies below it", () => {
    const current = (path: string) =>
      entries.filter((entry) => isCurrent(entry, path)).map(({ href }) => href);
    expect(current("/")).toEqual(["/"]);
    expect(current("/nodes/a/b")).toEqual(["/fleet"]);
    expect(current("/experiments/new")).toEqual(["/experiments"]);
  });

  it("marks nothing for a page that is nowhere", () => {
    expect(entries.filter((entry) => isCurrent(entry, "/fleets"))).toEqual([]);
  });
});
