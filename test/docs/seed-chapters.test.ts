import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/repository.ts";
import { mustShow, seeds } from "./seed-chapters.ts";

interface Section {
  readonly heading: string;
  readonly body: string;
}

/** Each heading of a document with what stands below it, down to the next. */
function sectionsOf(markdown: string): readonly Section[] {
  const outsideOfCode = markdown.split(/^(```[\s\S]*?^```)$/m).map((part, at) => {
    return at % 2 === 1 ? part.replaceAll(/^#/gm, " #") : part;
  });
  return outsideOfCode
    .join("")
    .split(/^#+ /m)
    .slice(1)
    .map((section) => {
      const [heading = "", ...lines] = section.split("\n");
      return { heading, body: lines.join("\n").trim() };
    });
}

/** Headings that a chapter needs and that are missing or have nothing below them. */
function missing(markdown: string, wanted: readonly string[]): readonly string[] {
  const sections = sectionsOf(markdown);
  return wanted.filter((heading) => {
    const section = sections.find((one) => one.heading === heading);
    return section === undefined || section.body === "";
  });
}

describe.each(seeds)("the tutorial $tutorial", ({ tutorial, chapters }) => {
  const text = readFileSync(join(root, "docs", "tutorials", tutorial), "utf8");

  it.each(Object.entries(chapters))("answers the chapter %s", (_, wanted) => {
    expect(wanted).not.toEqual([]);
    expect(missing(text, wanted)).toEqual([]);
  });

  it("shows what its document names", () => {
    const absent = (mustShow[tutorial] ?? ["no list"]).filter((term) => !text.includes(term));
    expect(absent).toEqual([]);
  });
});

describe("a chapter", () => {
  const text = "# A\n\ntext\n\n## B\n\n```sh\n# C\n```\n\n## D\n";

  it("is answered by a section with text or commands", () => {
    expect(missing(text, ["A", "B"])).toEqual([]);
  });

  it("is not answered by an empty section, a comment in a block, or nothing", () => {
    expect(missing(text, ["D", "C", "E"])).toEqual(["D", "C", "E"]);
  });
});
