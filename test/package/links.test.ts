import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/repository.ts";
import { packedFiles } from "./packed-files.ts";

/** What packed documents may link to though it is not packed, and why. */
const leftOut: readonly { readonly below: string; readonly why: string }[] = [
  {
    below: "docs/screenshots/",
    why: "5 MB of pictures; the text of the dashboard's guide stands without them, and the README's own are packed",
  },
];

/** Paths that a document links to, from the root of the package; other sites and its own headings are left out. */
function linksOf(path: string, markdown: string): readonly string[] {
  const prose = markdown.replaceAll(/^ *```[\s\S]*?^ *```/gm, "").replaceAll(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => target.replace(/#.*/, ""))
    .filter((target) => target !== "" && !/^[a-z]+:/.test(target))
    .map((target) => normalize(join(dirname(path), target)).replace(/\/$/, ""));
}

/** Links that lead to no file and to no folder with files. */
function broken(links: readonly string[], paths: readonly string[]): readonly string[] {
  const there = new Set(paths);
  return links.filter(
    (link) => !there.has(link) && !paths.some((path) => path.startsWith(`${link}/`)),
  );
}

describe("documents of the package", () => {
  let paths: readonly string[] = [];

  beforeAll(() => {
    paths = packedFiles().map(({ path }) => path);
  });

  it("link to what is in the package, or to what is left out for a reason", () => {
    const documents = paths.filter((path) => path.endsWith(".md"));
    expect(documents).toEqual(expect.arrayContaining(["README.md", "SECURITY.md", "docs/ci.md"]));
    const wrong = documents.flatMap((path) => {
      const links = linksOf(path, readFileSync(join(root, path), "utf8"));
      return broken(links, paths)
        .filter(
          (link) => path === "README.md" || !leftOut.some(({ below }) => link.startsWith(below)),
        )
        .map((link) => `${path}: ${link}`);
    });
    expect(wrong).toEqual([]);
  });

  it("name nothing as left out that is packed whole", () => {
    for (const { below, why } of leftOut) {
      expect(why).not.toBe("");
      expect(broken([`${below}overview-light.png`], paths)).toHaveLength(1);
    }
  });
});

describe("a link", () => {
  const paths = ["docs/a.md", "examples/x/y.ts"];

  it("leads to a file or a folder, from where its document lies", () => {
    const text = "[a](a.md#part) [x](../examples/x/) [self](#here) [site](https://example.com)";
    expect(linksOf("docs/b.md", text)).toEqual(["docs/a.md", "examples/x"]);
    expect(broken(linksOf("docs/b.md", text), paths)).toEqual([]);
  });

  it("is broken when nothing is there, and none when it is code", () => {
    expect(broken(linksOf("docs/b.md", "[c](c.md) ![p](../examples/x/y)"), paths)).toHaveLength(2);
    expect(linksOf("docs/b.md", "`[c](c.md)`\n\n```\n[d](d.md)\n```\n")).toEqual([]);
  });
});
