import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { resolveKubernetesSettings } from "../../src/validation/clusters/kubernetes/settings.ts";

const root = join(import.meta.dirname, "..", "..");
const folder = join(root, "images", "node");
const dockerfile = readFileSync(join(folder, "Dockerfile"), "utf8");
const ignored = readFileSync(join(folder, "Dockerfile.dockerignore"), "utf8").split("\n");

/** The instructions, each with what follows it; lines that go on are one. */
const instructions = dockerfile
  .replaceAll(/\\\n\s*/g, "")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line): readonly [string, string] => {
    const [word = "", ...rest] = line.split(" ");
    return [word, rest.join(" ")];
  });

function valuesOf(word: string): string[] {
  return instructions.filter(([name]) => name === word).map(([, value]) => value);
}

const last = (word: string) => valuesOf(word).at(-1) ?? "";
const pod = resolveKubernetesSettings({ image: "x" }, { namespace: "x" });

describe("the node image", () => {
  test("starts as pods start it, without a shell in between", () => {
    const command: unknown = JSON.parse(last("ENTRYPOINT"));
    const args: unknown = JSON.parse(last("CMD"));
    expect([command, args].flat()).toEqual(["/usr/local/bin/node", ...pod.command.slice(1)]);
    expect(pod.command[0]).toBe("node");
  });

  test("runs as the user that pods run as, who is not root", () => {
    expect(last("USER")).toBe(`${pod.runAsUser}:${pod.runAsUser}`);
    expect(pod.runAsUser).toBeGreaterThan(0);
  });

  test("takes CUDA from a base that the builder names", () => {
    expect(valuesOf("ARG")[0]).toMatch(/^BASE=\S+:\S+$/);
    expect(last("FROM")).toBe("${BASE}");
  });

  test("copies only what is there, and nothing else of a working tree can get in", () => {
    const sources = valuesOf("COPY")
      .filter((value) => !value.startsWith("--from"))
      .map((value) => value.split(" ")[0] ?? "");
    expect(sources.length).toBeGreaterThan(0);
    expect(ignored).toContain("*");
    for (const source of sources) {
      expect(ignored).toContain(`!${source}`);
      // dist/ is made by the build, and the packages only where they can be installed.
      if (!source.startsWith("dist/")) expect(existsSync(join(root, source)), source).toBe(true);
    }
    const allowed = ignored.filter((line) => line.startsWith("!"));
    expect(allowed.map((line) => line.slice(1)).toSorted()).toEqual(sources.toSorted());
  });

  test("has fio, and finds out while it is built whether Node runs there", () => {
    expect(valuesOf("RUN").join("\n")).toContain("fio --version");
    expect(valuesOf("RUN")).toContain('["/usr/local/bin/node", "/app/tessera.mjs", "--version"]');
  });
});
