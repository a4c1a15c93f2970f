import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  executeCheck,
  findCheck,
  findPlugIns,
  prepareCheck,
  withPlugIn,
} from "../../../../src/validation/checks/index.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { executionOf, host } from "../support.ts";

const manifest = `name: ib-counters
title: Error counters of the fabric
command: [./count, --json]
minutes: 2
needs: { memoryBytes: 1000000, programs: [sh] }
figures:
  busbw: { unit: GB/s, higherIsBetter: true }
  errors: { higherIsBetter: false }
options:
  type: object
  properties:
    level: { type: integer, minimum: 1, maximum: 9, default: 3 }
  additionalProperties: false
sensitivity: { nic: 0.8 }
`;
const good = '{"figures":{"busbw":[46.1,46.4],"errors":0},"facts":{"driver":"580"}}';

async function plugIn(text = manifest, says = good): Promise<string> {
  const folder = await tempDir();
  await writeFile(join(folder, "tessera.check.yaml"), text);
  await writeFile(join(folder, "count"), `#!/bin/sh\necho counting\necho '${says}'\n`);
  await chmod(join(folder, "count"), 0o755);
  return folder;
}

async function run(folder: string, options: Record<string, unknown> = {}) {
  const how = executionOf();
  const prepared = prepareCheck("ib-counters", { plugin: folder, ...options }, host);
  const { result } = await executeCheck({ ...how, prepared });
  return { result, lines: how.lines };
}

describe("a plug-in", () => {
  test("is a check as its manifest describes it", async () => {
    const folder = await plugIn();
    const check = findCheck("ib-counters", { plugin: folder });
    expect(check).toMatchObject({
      name: "ib-counters",
      minutes: 2,
      figures: { busbw: "GB/s", errors: "" },
      sensitivity: { nic: 0.8 },
      falseAlarm: 0.01,
    });
    expect(findCheck("ib-counters", { plugin: join(folder, "tessera.check.yaml") }).title).toBe(
      check.title,
    );
  });

  test("runs its program and hands in its figures with the manifest's units", async () => {
    const { result, lines } = await run(await plugIn());
    expect(result).toMatchObject({
      outcome: "completed",
      figures: {
        busbw: { samples: [46.1, 46.4], higherIsBetter: true, unit: "GB/s" },
        errors: { samples: [0], higherIsBetter: false },
      },
      facts: { driver: "580" },
    });
    expect(lines).toEqual(["counting"]);
  });

  test("finds its options with their defaults, and nothing of ours among them", async () => {
    const folder = await plugIn();
    await writeFile(
      join(folder, "count"),
      `#!/bin/sh\nprintf '{"figures":{"busbw":1,"errors":0},"facts":{"options":%s,"first":"%s"}}\\n' "$TESSERA_CHECK_OPTIONS" "$1"\n`,
    );
    const { result } = await run(folder);
    expect(result.facts).toEqual({ options: { level: 3, profile: "quick" }, first: "--json" });
    expect(() => prepareCheck("ib-counters", { plugin: folder, level: 10 }, host)).toThrow(
      expect.objectContaining({ code: "E_CHECK_OPTIONS" }),
    );
    expect(() => prepareCheck("ib-counters", { plugin: folder, speed: 1 }, host)).toThrow(
      expect.objectContaining({ code: "E_CHECK_OPTIONS" }),
    );
  });

  test.each([
    ["says no JSON", "done", /is not JSON/],
    ["says no figures", '{"facts":{}}', /is no result: figures/],
    ["leaves out a figure", '{"figures":{"busbw":1}}', /figures\.errors: the manifest promises it/],
    ["has no samples", '{"figures":{"busbw":[],"errors":0}}', /figures\.busbw: the manifest/],
    ["has another figure", '{"figures":{"busbw":1,"errors":0,"x":1}}', /figures\.x: the manifest/],
    [
      "has another unit",
      '{"figures":{"busbw":{"samples":[1],"unit":"GiB/s"},"errors":0}}',
      /figures\.busbw\.unit: it is GiB\/s, not GB\/s/,
    ],
    [
      "has another direction",
      '{"figures":{"busbw":{"samples":[1],"higherIsBetter":false},"errors":0}}',
      /higherIsBetter/,
    ],
    ["has words for numbers", '{"figures":{"busbw":"fast","errors":0}}', /figures\.busbw/],
    ["judges", '{"figures":{"busbw":1,"errors":0},"verdict":"pass"}', /verdict/],
  ])("whose program %s is an error with the reason", async (_, says, problem) => {
    const { result } = await run(await plugIn(manifest, says));
    expect(result).toMatchObject({ outcome: "error", figures: {} });
    expect(result.error).toMatch(problem);
  });

  test("a sample that is no number is kept as such", async () => {
    const { result } = await run(
      await plugIn(manifest, '{"figures":{"busbw":[1,null],"errors":0}}'),
    );
    expect(result.figures["busbw"]?.samples).toEqual([1, Number.NaN]);
  });
});

describe("a machine that lacks what a plug-in needs", () => {
  test.each([
    ["{ gpus: 2 }", { gpus: ["H100"] }, "it needs 2 GPUs, and there is 1"],
    ["{ memoryBytes: 4294967296 }", { memoryBytes: 1 }, "it needs 4 GiB of memory"],
    ["{ programs: [ibstat-of-nowhere] }", {}, "it needs ibstat-of-nowhere, and there is none"],
  ])("%s", async (needs, change, reason) => {
    const text = manifest.replace(/^needs: .*$/m, `needs: ${needs}`);
    const check = findCheck("ib-counters", { plugin: await plugIn(text) });
    expect(check.requirements({ ...host, ...change })).toEqual({ met: false, reason });
  });

  test("is not known to lack programs where nobody can look", async () => {
    const text = manifest.replace("[sh]", "[ibstat-of-nowhere]");
    const { hasProgram: _, ...elsewhere } = host;
    const check = findCheck("ib-counters", { plugin: await plugIn(text) });
    expect(check.requirements(elsewhere)).toEqual({ met: true });
  });
});

describe("a manifest", () => {
  test.each([
    ["is not YAML", "name: [", /flow collection|Flow sequence|expected/i],
    ["has no name", manifest.replace("name: ib-counters", ""), /name/],
    ["has a name for nobody", manifest.replace("ib-counters", "IB_Counters"), /name: must be/],
    ["names no program", manifest.replace("[./count, --json]", "[]"), /command/],
    ["is a shell line", manifest.replace("[./count, --json]", "./count | sh"), /command/],
    ["has an unknown key", `${manifest}shell: true\n`, /shell/],
    ["says no direction", manifest.replace(", higherIsBetter: true", ""), /busbw\.higherIsBetter/],
    ["has a schema that is none", manifest.replace("type: integer", "type: number9"), /options: /],
    ["has options that are no object", manifest.replace("type: object", "type: array"), /options/],
    ["is read in a way we do not know", `${manifest}parse: last-word\n`, /parse/],
  ])("that %s is refused with the reason", async (_, text, problem) => {
    const plugin = await plugIn(text);
    expect(() => findCheck("ib-counters", { plugin })).toThrow(
      expect.objectContaining({
        code: "E_PLUGIN_INVALID",
        message: expect.stringMatching(problem),
      }),
    );
  });

  test("is refused when it is not there, or describes another check", async () => {
    const folder = await tempDir();
    expect(() => findCheck("x", { plugin: folder })).toThrow("it does not exist");
    expect(() => findCheck("x", { plugin: join(folder, "no") })).toThrow("it does not exist");
    const plugin = await plugIn();
    expect(() => findCheck("x", { plugin })).toThrow("it is ib-counters, and x was asked for");
  });
});

describe("the plug-ins of a configuration", () => {
  test("are found by their names", async () => {
    const folder = await plugIn();
    const plugIns = findPlugIns([folder]);
    expect(withPlugIn(plugIns, { name: "ib-counters", options: { level: 2 } })).toEqual({
      plugin: folder,
      level: 2,
    });
    expect(withPlugIn(plugIns, { name: "other", options: {} })).toEqual({});
    const own = { command: ["x"] };
    expect(withPlugIn(plugIns, { name: "ib-counters", options: own })).toEqual(own);
  });

  test("may not share a name, with each other or with one of ours", async () => {
    const [a, b] = [await plugIn(), await plugIn()];
    expect(() => findPlugIns([a, b])).toThrow("has the name ib-counters already");
    const ours = await plugIn(manifest.replace("ib-counters", "storage-io"));
    expect(() => findPlugIns([ours])).toThrow("one of our own checks has the name storage-io");
  });

  test("a folder without a manifest is told so", async () => {
    const folder = join(await tempDir(), "empty");
    await mkdir(folder);
    expect(() => findPlugIns([folder])).toThrow(
      expect.objectContaining({ code: "E_PLUGIN_INVALID" }),
    );
  });
});
