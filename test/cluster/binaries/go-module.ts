import type { Part } from "./parts.ts";

/**
 * The go.mod of a module of our own that has a part's programs as dependencies. `go install
 * pkg@version` refuses modules with replace directives, so ours repeats them: those that point
 * into the module's own tree (Kubernetes' staging folders) become the version that is published
 * of the same code, 0.x.y for 1.x.y.
 */
export function hostGoMod(part: Part, theirGoMod: string): string {
  const lines = directives(theirGoMod);
  const goVersion = lines.find((line) => line.startsWith("go "));
  const replaces = lines
    .filter((line) => line.startsWith("replace "))
    .map((line) =>
      line.replace(/^(replace (\S+)) => \.\/.*$/, `$1 => $2 v${stagingVersion(part)}`),
    );
  return [
    `module tessera.test/${part.id}`,
    ...(goVersion === undefined ? [] : [goVersion]),
    ...lines.filter((line) => line.startsWith("godebug ")),
    `require ${part.module} v${part.version}`,
    ...replaces,
    "",
  ].join("\n");
}

/** A Go file whose imports make `go mod tidy` keep what the programs need. */
export function toolsGo(part: Part): string {
  const imports = Object.values(part.programs).map((path) => `\t_ "${path}"`);
  return ["//go:build tools", "", "package tools", "", "import (", ...imports, ")", ""].join("\n");
}

/** The directives of a go.mod, one a line: blocks taken apart, comments removed. */
function directives(text: string): string[] {
  const found: string[] = [];
  let block: string | undefined;
  for (const raw of text.split("\n")) {
    const line = raw.replace(/\s*\/\/.*$/, "").trim();
    const opening = /^(\w+) \($/.exec(line);
    if (opening !== null) block = opening[1];
    else if (line === ")") block = undefined;
    else if (line !== "") found.push(block === undefined ? line : `${block} ${line}`);
  }
  return found;
}

function stagingVersion(part: Part): string {
  return part.version.replace(/^1\./, "0.");
}
