import { describe, expect, it } from "vitest";
import { found, plant } from "./lib/planted.ts";
import { examplesRule, testsRule } from "./lib/tests.ts";

const source = { "src/platform/units/bytes.ts": "" };

describe("test files", () => {
  it("may mirror a folder of src", () => {
    const tree = plant({
      ...source,
      "test/platform/units/bytes.test.ts": "",
      "test/platform/platform.test.ts": "",
    });
    expect(found(testsRule, tree)).toEqual([]);
  });

  it("may not mirror a folder that does not exist", () => {
    const tree = plant({ ...source, "test/platform/unit/bytes.test.ts": "" });
    expect(found(testsRule, tree)).toEqual(["test/platform/unit/bytes.test.ts place"]);
  });

  it("may lie in the folders that mirror something else", () => {
    const tree = plant({ "test/cluster/x.test.ts": "", "test/tidy/x.test.ts": "" });
    expect(found(testsRule, tree)).toEqual([]);
  });

  it.each(["bytes.spec.ts", "bytes-test.ts", "bytes.tests.ts", "bytes.test.mjs"])(
    "are not named %s, which nobody runs",
    (name) => {
      const path = `test/platform/units/${name}`;
      expect(found(testsRule, plant({ ...source, [path]: "" }))).toEqual([`${path} name`]);
    },
  );

  it("are recognised by what they do, and helpers are not mistaken for them", () => {
    const use = 'import { it } from "vitest";\n';
    const tree = plant({
      ...source,
      "test/platform/units/bytes.ts": `${use}it("works", () => {});`,
      "test/platform/units/contract.ts": `${use}export function contract() { it("works", () => {}); }`,
      "test/cluster/global-setup.ts": `${use}export default function setup() {}`,
      "test/platform/units/plain.ts": "start();",
    });
    expect(found(testsRule, tree)).toEqual(["test/platform/units/bytes.ts name"]);
  });
});

describe("examples", () => {
  const example = { "examples/mesh.ts": "" };

  it("must be named by a test", () => {
    expect(found(examplesRule, plant(example))).toEqual(["examples/mesh.ts untested"]);
    const inComment = plant({ ...example, "test/examples/all.test.ts": "// examples/mesh.ts" });
    expect(found(examplesRule, inComment)).toHaveLength(1);
  });

  it("are fine when one does", () => {
    const tree = plant({ ...example, "test/examples/all.test.ts": 'run("examples/mesh.ts");' });
    expect(found(examplesRule, tree)).toEqual([]);
  });
});
