import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { allProbes } from "../../src/cli/probes.ts";

const probes = allProbes({ store: { url: "sqlite::memory:" }, kubernetes: {}, slurm: {} });

describe("the doctor's probes", () => {
  it("have distinct names in kebab-case, and say what they are for", () => {
    const ids = probes.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id, title, neededFor } of probes) {
      expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(title).not.toBe("");
      expect(neededFor).not.toMatch(/\.$/);
    }
  });

  it("require only what Tessera cannot do without anywhere", () => {
    expect(probes.filter(({ required }) => required).map(({ id }) => id)).toEqual([
      "node",
      "store",
    ]);
  });

  it("are all documented, and the page names no other", async () => {
    const page = await readFile("docs/doctor.md", "utf8");
    const table = page.slice(page.indexOf("## Probes"));
    const documented = [...table.matchAll(/^\| `([a-z-]+)` \| (?:yes|no) \|/gm)].map(
      ([, id]) => id,
    );
    expect(documented).toEqual(probes.map(({ id }) => id));
  });
});
