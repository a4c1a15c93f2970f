import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createChance } from "../../../src/chaos/chance/index.ts";

const entities = 5;

describe("streams in rows", () => {
  it("give what the streams of the same entities give, however draws of them are mixed", () => {
    const draw = fc.record({ entity: fc.nat(entities - 1), isFloat: fc.boolean() });
    fc.assert(
      fc.property(
        fc.string(),
        fc.array(draw, { minLength: 100, maxLength: 300 }),
        (seed, drawn) => {
          const rows = createChance(seed).rows("jitter", entities);
          const alone = createChance(seed);
          for (const { entity, isFloat } of drawn) {
            const stream = alone.stream("jitter", entity);
            if (isFloat) expect(rows.float(entity)).toBe(stream.float());
            else expect(rows.uint32(entity)).toBe(stream.uint32());
          }
        },
      ),
    );
  });

  it("go on for many groups of words as streams do", () => {
    const rows = createChance("s").rows("jitter", entities);
    const stream = createChance("s").stream("jitter", 3);
    for (let nth = 0; nth < 1000; nth++) expect(rows.float(3)).toBe(stream.float());
  });

  it("differ from each other and from another purpose's", () => {
    const chance = createChance("s");
    const [one, other] = [chance.rows("one", 2), chance.rows("other", 2)];
    const firsts = [one.uint32(0), one.uint32(1), other.uint32(0), other.uint32(1)];
    expect(new Set(firsts).size).toBe(4);
  });

  it("refuse an entity that they do not have", () => {
    const rows = createChance("s").rows("jitter", entities);
    for (const entity of [-1, entities, 0.5]) {
      expect(() => rows.uint32(entity)).toThrow("an entity of these rows");
      expect(() => rows.float(entity)).toThrow("an entity of these rows");
    }
  });

  it("are not mixed with streams of the same purpose, which would give the same again", () => {
    const chance = createChance("s");
    chance.rows("jitter", entities);
    expect(() => chance.stream("jitter", 1)).toThrow("in rows");
    expect(() => chance.rows("jitter", entities)).toThrow("asked for once");
    chance.stream("loss", 1);
    expect(() => chance.rows("loss", entities)).toThrow("asked for once");
    expect(chance.stream("jitter", "a name").uint32()).toBe(
      createChance("s").stream("jitter", "a name").uint32(),
    );
  });
});
