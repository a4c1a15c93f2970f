import { describe, expect, it } from "vitest";
import { goBuilds } from "../binaries/build.ts";
import { cacheFolder, partFolder } from "../binaries/cache.ts";
import { hostGoMod, toolsGo } from "../binaries/go-module.ts";
import { kubernetes, kwok, partsFor, volcano } from "../binaries/parts.ts";
import { completeShape } from "../machine/availability.ts";
import type { ClusterShape } from "../registry/record.ts";

const theirs = `// generated
module k8s.io/kubernetes

go 1.24.0

godebug default=go1.24

require (
	example.com/a v1.0.0 // indirect
)

replace (
	k8s.io/api => ./staging/src/k8s.io/api
	example.com/b => example.com/c v1.2.3 // pinned
)

replace k8s.io/client-go => ./staging/src/k8s.io/client-go
`;

describe("the module that programs are built from", () => {
  it("repeats replacements and turns those into their own tree into published versions", () => {
    expect(hostGoMod(kubernetes, theirs).split("\n")).toEqual([
      "module tessera.test/kubernetes",
      "go 1.24.0",
      "godebug default=go1.24",
      "require k8s.io/kubernetes v1.34.4",
      "replace k8s.io/api => k8s.io/api v0.34.4",
      "replace example.com/b => example.com/c v1.2.3",
      "replace k8s.io/client-go => k8s.io/client-go v0.34.4",
      "",
    ]);
  });

  it("needs neither replacements nor a language version", () => {
    expect(hostGoMod(kwok, "module sigs.k8s.io/kwok\n")).toBe(
      "module tessera.test/kwok\nrequire sigs.k8s.io/kwok v0.7.0\n",
    );
  });

  it("imports every program, so that their dependencies are kept", () => {
    expect(toolsGo(volcano)).toContain('\t_ "volcano.sh/volcano/cmd/controller-manager"\n');
    expect(toolsGo(volcano).match(/_ "/g)).toHaveLength(3);
  });

  it("is built in one go where programs are named like their packages", () => {
    expect(goBuilds(kubernetes, "/bin").map(({ out }) => out)).toEqual(["/bin/"]);
    expect(goBuilds(volcano, "/bin").map(({ out }) => out)).toEqual([
      "/bin/volcano-scheduler",
      "/bin/volcano-controller-manager",
      "/bin/volcano-webhook-manager",
    ]);
  });
});

describe("the parts of a cluster", () => {
  it("are only those that were asked for", () => {
    const ids = (shape: Partial<ClusterShape>) =>
      partsFor(completeShape(shape)).map(({ id }) => id);
    expect(ids({})).toEqual(["kubernetes"]);
    expect(ids({ kwok: 1, volcano: true })).toEqual(["kubernetes", "kwok", "volcano"]);
    expect(ids({ kubernetes: false, slurm: 4 })).toEqual([]);
  });

  it("are kept by part and version in the cache folder that the environment names", () => {
    expect(cacheFolder({ TESSERA_CACHE: "/c", XDG_CACHE_HOME: "/x" })).toBe("/c/test-cluster");
    expect(cacheFolder({ XDG_CACHE_HOME: "/x" })).toBe("/x/tessera/test-cluster");
    expect(cacheFolder({})).toMatch(/\/\.cache\/tessera\/test-cluster$/);
    expect(partFolder(kwok, { TESSERA_CACHE: "/c" })).toMatch(/^\/c\/test-cluster\/kwok-0\.7\.0-/);
  });
});
