import { expect } from "vitest";

const name = "[A-Za-z_][\\w.:-]*";
const reference = "&(?:amp|lt|gt|quot|apos|#\\d+);";
const attribute = `\\s+${name}="(?:[^<&"]|${reference})*"`;
const token = new RegExp(
  `<\\?xml[^?]*\\?>|<(${name})((?:${attribute})*)\\s*(/?)>|</(${name})>|((?:[^<&]|${reference})+)`,
  "y",
);

/** Fails where a text is not well-formed XML: strict about tags, attributes and entities. */
export function expectWellFormed(xml: string): void {
  const open: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < xml.length) {
    const at = token.lastIndex;
    const match = token.exec(xml);
    if (match === null) expect.fail(`not XML at ${at}: ${xml.slice(at, at + 60)}`);
    const [, opened, attributes = "", closesItself, closed] = match;
    if (opened !== undefined) expectDistinct(attributes);
    if (opened !== undefined && closesItself === "") open.push(opened);
    if (closed !== undefined) expect(open.pop()).toBe(closed);
  }
  expect(open).toEqual([]);
}

function expectDistinct(attributes: string): void {
  const names = [...attributes.matchAll(new RegExp(`(${name})="`, "g"))].map((match) => match[1]);
  expect(new Set(names).size).toBe(names.length);
}

const named: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

/** What a reader of XML takes a text or attribute for. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d+)|(\w+));/g, (_, code?: string, word = "") =>
    code === undefined ? (named[word] ?? "") : String.fromCodePoint(Number(code)),
  );
}
