import { describe, expect, it } from "vitest";
import { documentedRule } from "./lib/documented.ts";
import { found, plant } from "./lib/planted.ts";

const house = {
  "src/platform/errors/rows/general.ts": "export const generalRows = { E_USAGE: {} } as const;",
  "src/platform/errors/rows/store.ts": "export const storeRows = { E_STORE: {} } as const;",
  "src/platform/metrics/table.ts":
    "export const metricTable = { tessera_store_up: {} } as const satisfies Rows;",
  "src/cli/commands/doctor.ts": 'export const doctor = { name: "doctor", summary: "x", load };',
  "src/platform/config/sections/server.ts":
    'export const s = section("x", { port: setting(z.int(), {}) });',
  "docs/errors.md": "## E_STORE\n## E_USAGE",
  "docs/metrics.md": "| `tessera_store_up` |",
  "docs/cli.md": "## tessera doctor",
  "docs/configuration.md": "| `server.port` |",
};

describe("documentation", () => {
  it("is complete when it names everything", () => {
    expect(found(documentedRule, plant(house))).toEqual([]);
  });

  it.each([
    ["docs/errors.md", "E_USAGE only, and E_STORE_LOCKED", "E_STORE"],
    ["docs/metrics.md", "`tessera_store_upper`", "tessera_store_up"],
    ["docs/cli.md", "tessera doctors", "tessera doctor"],
    ["docs/configuration.md", "server.host", "port"],
  ])("%s saying `%s` leaves out %s", (path, text, what) => {
    expect(found(documentedRule, plant({ ...house, [path]: text }))).toEqual([`${path} ${what}`]);
  });

  it("must exist", () => {
    const { "docs/errors.md": _, ...rest } = house;
    expect(found(documentedRule, plant(rest))).toEqual(["docs/errors.md error code"]);
  });

  it("says when the sources have moved and nothing is found any more", () => {
    const moved = "export const rows = {};";
    const tree = plant({
      ...house,
      "src/platform/errors/rows/general.ts": moved,
      "src/platform/errors/rows/store.ts": moved,
    });
    expect(found(documentedRule, tree)).toEqual(["docs/errors.md error code"]);
  });
});
