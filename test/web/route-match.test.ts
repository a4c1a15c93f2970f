import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchRoute, pathOf } from "../../web/src/route-match.ts";

describe("paths of the dashboard", () => {
  it("gives the parameters of a path that matches", () => {
    expect(matchRoute("/nodes/:cluster/:node", "/nodes/a/n-1")).toEqual({
      cluster: "a",
      node: "n-1",
    });
    expect(matchRoute("/", "/")).toEqual({});
    expect(matchRoute("/fleet", "/fleet/")).toEqual({});
  });

  it("gives nothing for a path of another shape, or one nobody could have made", () => {
    expect(matchRoute("/nodes/:cluster/:node", "/nodes/a")).toBeUndefined();
    expect(matchRoute("/fleet", "/queue")).toBeUndefined();
    expect(matchRoute("/runs/:id", "/runs/%E0%A4%A")).toBeUndefined();
  });

  it("brings any names through a path and back", () => {
    // A browser takes `.` and `..` for steps up; no cluster or node is called so.
    const name = fc.string({ minLength: 1, unit: "grapheme" });
    fc.assert(
      fc.property(name, name, (cluster, node) => {
        const path = pathOf("nodes", cluster, node);
        expect(matchRoute("/nodes/:cluster/:node", path)).toEqual({ cluster, node });
      }),
    );
  });
});
