import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expandHostlist } from "../../../src/platform/slurm/index.ts";

describe("a list of hosts in the short form", () => {
  it.each([
    ["g0", ["g0"]],
    ["g[0-3]", ["g0", "g1", "g2", "g3"]],
    ["g[008-010,7]", ["g008", "g009", "g010", "g7"]],
    ["g[1-2]-ib[0-1],x", ["g1-ib0", "g1-ib1", "g2-ib0", "g2-ib1", "x"]],
    ["a-b.c,d_e", ["a-b.c", "d_e"]],
    ["g[99-101]", ["g99", "g100", "g101"]],
  ])("%s names each of them", (text, hosts) => {
    expect(expandHostlist(text)).toEqual(hosts);
  });

  it.each(["", "(null)", "None assigned", "N/A"])("%j names nobody", (text) => {
    expect(expandHostlist(text)).toEqual([]);
  });

  it.each([
    ["g[0-3", "do not match"],
    ["g0-3]", "do not match"],
    ["g[0-[3]]", "do not match"],
    ["g[3-1]", "runs backwards"],
    ["g[a-c]", "no range"],
    ["g[]", "no range"],
    ["g0,,g1", "is empty"],
    ["g[0-100000]", "more than 100000"],
    ["g[0-999]-[0-999]", "more than 100000"],
    ["g[0-60000],h[0-60000]", "more than 100000"],
    ["g[0-99999999999999999999]", "more than 100000"],
  ])("%s is refused: %s", (text, problem) => {
    expect(() => expandHostlist(text)).toThrow(problem);
  });

  it("gives back whatever ranges were put together", () => {
    const prefix = fc.stringMatching(/^[a-z][a-z0-9.-]{0,5}[a-z]$/);
    const range = fc.record({
      first: fc.nat(2000),
      count: fc.integer({ min: 1, max: 30 }),
      width: fc.integer({ min: 1, max: 5 }),
    });
    const word = fc.record({ prefix, ranges: fc.array(range, { minLength: 1, maxLength: 4 }) });
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
        const hosts: string[] = [];
        const texts = words.map(({ prefix: name, ranges }) => {
          const parts = ranges.map(({ first, count, width }) => {
            const numbers = Array.from({ length: count }, (_, at) =>
              String(first + at).padStart(width, "0"),
            );
            // The width of a range is that of its first number.
            const wide = numbers[0]?.length ?? width;
            const padded = numbers.map((number) => String(Number(number)).padStart(wide, "0"));
            hosts.push(...padded.map((number) => `${name}${number}`));
            return count === 1 ? padded[0] : `${padded[0]}-${padded.at(-1)}`;
          });
          return `${name}[${parts.join(",")}]`;
        });
        expect(expandHostlist(texts.join(","))).toEqual(hosts);
      }),
    );
  });

  it("never does anything but name hosts or refuse, whatever it is given", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[g0-9,[\]-]{0,20}$/), (text) => {
        try {
          for (const host of expandHostlist(text)) expect(host).toMatch(/^[g0-9-]+$/);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
          expect(error).not.toBeInstanceOf(RangeError);
        }
      }),
    );
  });
});
