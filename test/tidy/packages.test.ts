import { describe, expect, it } from "vitest";
import { packagesRule, versionRule } from "./lib/packages.ts";
import { found, plant } from "./lib/planted.ts";
import type { Tree } from "./lib/tree.ts";

interface Options {
  readonly allowScripts?: Record<string, boolean>;
  readonly entry?: Record<string, unknown>;
  readonly sourceVersion?: string;
  readonly lockVersion?: string;
}

function house({
  allowScripts = {},
  entry = {},
  sourceVersion = "1.2.3",
  lockVersion,
}: Options): Tree {
  const packages = {
    "": { version: "1.2.3", hasInstallScript: true },
    "node_modules/a/node_modules/@scope/koffi": {
      version: "3.0.0",
      integrity: "sha512-x",
      ...entry,
    },
  };
  return plant({
    "package.json": JSON.stringify({ name: "x", version: "1.2.3", allowScripts }),
    "package-lock.json": JSON.stringify({ version: lockVersion ?? "1.2.3", packages }),
    "src/version.ts": `export const version = "${sourceVersion}";`,
  });
}

describe("the lock file", () => {
  it("is fine with packages that run nothing and name no host", () => {
    expect(found(packagesRule, house({}))).toEqual([]);
  });

  it("may not have an install script nobody decided about", () => {
    const entry = { hasInstallScript: true };
    expect(found(packagesRule, house({ entry }))).toEqual(["package-lock.json @scope/koffi"]);
    expect(found(packagesRule, house({ entry, allowScripts: { "@scope/koffi": false } }))).toEqual(
      [],
    );
  });

  it("may not have an install script that is to run", () => {
    const tree = house({
      entry: { hasInstallScript: true },
      allowScripts: { "@scope/koffi": true },
    });
    expect(found(packagesRule, tree)).toHaveLength(1);
  });

  it("may not say where packages come from, and must say what they are", () => {
    const resolved = "https://registry.example/koffi.tgz";
    expect(found(packagesRule, house({ entry: { resolved } }))).toHaveLength(1);
    expect(found(packagesRule, house({ entry: { integrity: undefined } }))).toHaveLength(1);
  });
});

describe("the version", () => {
  it("is the same in all three places", () => {
    expect(found(versionRule, house({}))).toEqual([]);
  });

  it("may not differ in one of them", () => {
    expect(found(versionRule, house({ sourceVersion: "1.2.4" }))).toEqual([
      "src/version.ts version",
    ]);
    expect(found(versionRule, house({ lockVersion: "1.2.2" }))).toEqual([
      "package-lock.json version",
    ]);
  });
});
