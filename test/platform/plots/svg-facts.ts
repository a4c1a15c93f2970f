import { XMLParser } from "fast-xml-parser";
import { expect } from "vitest";
import { decodeEntities, expectWellFormed } from "./xml.ts";

interface Node {
  readonly [name: string]: unknown;
}

/** Parses an SVG and fails where it is not well-formed. */
export function parseSvg(svg: string): Node[] {
  expectWellFormed(svg);
  return new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    parseAttributeValue: false,
    parseTagValue: false,
    trimValues: false,
    processEntities: false,
  }).parse(svg) as Node[];
}

/** Every element outside `defs`, with its attributes. */
export function elementsOf(
  nodes: readonly Node[],
): { name: string; attributes: Record<string, string>; children: readonly Node[] }[] {
  return nodes.flatMap((node) => {
    const name = Object.keys(node).find((key) => key !== ":@");
    if (name === undefined || name === "#text" || name === "defs") return [];
    const children = node[name] as Node[];
    const given = (node[":@"] ?? {}) as Record<string, string>;
    const attributes = Object.fromEntries(
      Object.entries(given).map(([key, value]) => [key.replace("@_", ""), value]),
    );
    return [{ name, attributes, children }, ...elementsOf(children)];
  });
}

/** All the text in an SVG, for what a reader sees. */
export function textOf(nodes: readonly Node[]): string {
  return nodes
    .map((node) => {
      if ("#text" in node) return decodeEntities(String(node["#text"]));
      const name = Object.keys(node).find((key) => key !== ":@") ?? "";
      return name === "style" ? "" : textOf(node[name] as Node[]);
    })
    .join(" ");
}

/** Every coordinate is a finite number inside the view box. */
export function expectInsideViewBox(svg: string): void {
  const elements = elementsOf(parseSvg(svg));
  const viewBox = elements[0]?.attributes["viewBox"] ?? "";
  const [, , width = 0, height = 0] = viewBox.split(" ").map(Number);
  expect(width * height).toBeGreaterThan(0);
  for (const { name, attributes } of elements) {
    const { xs, ys } = coordinates(name, attributes);
    for (const [values, limit] of [
      [xs, width],
      [ys, height],
    ] as const) {
      for (const value of values) {
        expect(Number.isFinite(value), `${name} ${JSON.stringify(attributes)}`).toBe(true);
        expect(value, `${name} ${JSON.stringify(attributes)}`).toBeGreaterThanOrEqual(-0.01);
        expect(value, `${name} ${JSON.stringify(attributes)}`).toBeLessThanOrEqual(limit + 0.01);
      }
    }
  }
}

function coordinates(name: string, a: Record<string, string>): { xs: number[]; ys: number[] } {
  const of = (...keys: string[]) => keys.filter((key) => key in a).map((key) => Number(a[key]));
  const xs = of("x", "x1", "x2", "cx");
  const ys = of("y", "y1", "y2", "cy");
  if (name === "rect") {
    xs.push(Number(a["x"]) + Number(a["width"]));
    ys.push(Number(a["y"]) + Number(a["height"]));
    expect(Number(a["width"])).toBeGreaterThanOrEqual(0);
    expect(Number(a["height"])).toBeGreaterThanOrEqual(0);
  }
  if (name === "path") {
    const points = [...(a["d"] ?? "").matchAll(/[ML](\S+) ([^MLZ]+)/g)];
    xs.push(...points.map((match) => Number(match[1])));
    ys.push(...points.map((match) => Number(match[2])));
  }
  return { xs, ys };
}
