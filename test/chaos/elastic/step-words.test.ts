import { describe, expect, it } from "vitest";
import { StepWords } from "../../../src/chaos/elastic/step-words.ts";

const news = (step: number) => ({ step, units: 4, samples: [0, 4] as const, loss: 1 });

describe("what ranks say of a step", () => {
  it("is one message for all that have the same news", () => {
    const words = new StepWords();
    const report = news(7);
    const said = words.of(2, report);
    expect(said).toEqual({ type: "stepped", generation: 2, report });
    expect(words.of(2, report)).toBe(said);
  });

  it("is another message for other news and for another generation", () => {
    const words = new StepWords();
    const report = news(7);
    const said = words.of(2, report);
    expect(words.of(3, report)).toEqual({ type: "stepped", generation: 3, report });
    expect(words.of(3, news(8))).toMatchObject({ generation: 3, report: { step: 8 } });
    expect(said).toEqual({ type: "stepped", generation: 2, report });
  });
});
