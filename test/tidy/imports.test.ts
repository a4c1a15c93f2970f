import { describe, expect, it } from "vitest";
import { importsRule, placeOf } from "./lib/imports.ts";
import { layers } from "./lib/layers.ts";
import { found, plant } from "./lib/planted.ts";
import { isWithin } from "./lib/tree.ts";

function imports(path: string, specifier: string): string[] {
  return found(importsRule, plant({ [path]: `import { x } from "${specifier}";\nx();\n` }));
}

describe("imports between rooms", () => {
  it.each([
    ["src/platform/time/clock.ts", "../../cli/main.ts", "src/cli/main.ts"],
    ["src/platform/kube/client.ts", "../../runtime/index.ts", "src/runtime/index.ts"],
    ["src/runtime/dist/mesh.ts", "../../chaos/fault/index.ts", "src/chaos/fault/index.ts"],
    ["src/validation/plan.ts", "../hardware/index.ts", "src/hardware/index.ts"],
    ["src/hardware/agent.ts", "../chaos/experiment/plan.ts", "src/chaos/experiment/plan.ts"],
    ["src/chaos/fault/catalogue.ts", "../sim/world.ts", "src/chaos/sim/world.ts"],
    ["src/chaos/failure-model/draw.ts", "../sim/world.ts", "src/chaos/sim/world.ts"],
    ["src/chaos/judge/judge.ts", "../host/index.ts", "src/chaos/host/index.ts"],
    ["src/chaos/elastic/worker.ts", "../host/index.ts", "src/chaos/host/index.ts"],
  ])("%s may not import %s", (path, specifier, target) => {
    expect(imports(path, specifier)).toEqual([`${path}:1 ${target}`]);
  });

  it.each([
    ["src/cli/actions/doctor.ts", "../../platform/doctor/index.ts"],
    ["src/validation/plan.ts", "../platform/time/clock.ts"],
    ["src/hardware/agent.ts", "../chaos/fault/index.ts"],
    ["src/chaos/experiment/plan.ts", "../sim/world.ts"],
    ["src/chaos/failure-model/draw.ts", "../chance/index.ts"],
    ["src/chaos/sim/world.ts", "../failure-model/index.ts"],
    ["src/chaos/judge/judge.ts", "../record/index.ts"],
    ["src/chaos/host/worker.ts", "../elastic/index.ts"],
    ["src/runtime/dist/mesh.ts", "../tensor/dtype.ts"],
  ])("%s may import %s", (path, specifier) => {
    expect(imports(path, specifier)).toEqual([]);
  });
});

describe("imports inside the platform", () => {
  it("the floor may not see a service above it", () => {
    expect(imports("src/platform/units/bytes.ts", "../store/index.ts")).toHaveLength(1);
  });

  it("a service may see the floor", () => {
    expect(imports("src/platform/store/open.ts", "../units/bytes.ts")).toEqual([]);
  });

  it("services do not see each other unless the table says so", () => {
    expect(imports("src/platform/store/open.ts", "../kube/index.ts")).toHaveLength(1);
    expect(imports("src/platform/reporters/html.ts", "../plots/index.ts")).toEqual([]);
  });
});

describe("imports across the repository", () => {
  it.each(["test", "bench", "scripts", "examples"])("src never imports from %s", (folder) => {
    expect(imports("src/cli/main.ts", `../../${folder}/x.ts`)).toHaveLength(1);
  });

  it.each(["test/cli/x.test.ts", "bench/cli/x.ts", "scripts/docs/x.ts"])("%s may", (path) => {
    expect(imports(path, "../../src/cli/main.ts")).toEqual([]);
  });

  it("examples know the package by its name only", () => {
    expect(imports("examples/mesh.ts", "tessera-qa")).toEqual([]);
    expect(imports("examples/mesh.ts", "../src/index.ts")).toHaveLength(1);
  });

  it("src does not import the package by its name", () => {
    expect(imports("src/cli/main.ts", "tessera-qa/platform")).toEqual([
      "src/cli/main.ts:1 tessera-qa",
    ]);
  });
});

describe("forms of import", () => {
  const target = "../../cli/main.ts";

  it.each([
    `export { x } from "${target}";`,
    `export * from "${target}";`,
    `import type { X } from "${target}";`,
    `const x = await import("${target}");`,
    `const x = await import(\`${target}\`);`,
    `type X = import("${target}").X;`,
    `import "${target}";`,
  ])("%s counts", (text) => {
    expect(found(importsRule, plant({ "src/platform/time/x.ts": text }))).toHaveLength(1);
  });

  it.each([`// import "${target}";`, `const text = 'import "${target}"';`])(
    "%s does not",
    (text) => {
      expect(found(importsRule, plant({ "src/platform/time/x.ts": text }))).toEqual([]);
    },
  );
});

describe("packages with a home", () => {
  it("are imported there", () => {
    expect(imports("src/platform/store/open.ts", "kysely")).toEqual([]);
    expect(imports("test/platform/store/open.test.ts", "kysely")).toEqual([]);
  });

  it("are not imported elsewhere in src, whatever the entry point", () => {
    expect(imports("src/platform/http/app.ts", "kysely/helpers/sqlite")).toEqual([
      "src/platform/http/app.ts:1 kysely",
    ]);
  });
});

describe("the table of layers", () => {
  it("must know every folder of code", () => {
    const tree = plant({ "src/platform/queue/queue.ts": "export const x = 1;" });
    expect(found(importsRule, tree)).toEqual(["src/platform/queue unknown folder"]);
  });

  it("has no cycles", () => {
    // Takes away, again and again, the places that depend on nothing that is left.
    let left = Object.keys(layers);
    for (let before = Infinity; left.length < before; ) {
      before = left.length;
      left = left.filter((place) => left.some((other) => dependsOn(place, other)));
    }
    expect(left).toEqual([]);
  });

  function dependsOn(place: string, other: string): boolean {
    if (place === other) return false;
    const allowed = layers[place] ?? [];
    return allowed.some((entry) => isWithin(other, entry) || placeOf(entry, layers) === other);
  }
});
