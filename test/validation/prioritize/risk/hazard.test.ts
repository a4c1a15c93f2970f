import { describe, expect, it } from "vitest";
import { createRng } from "../../../../src/platform/rng/index.ts";
import { inequalityOf, onsetRates } from "../../../../src/validation/prioritize/risk/hazard.ts";
import { smallLog } from "../../replay/small-log.ts";

/** Defects of nodes that break at these expected counts, by chance. */
function drawn(expected: readonly number[]): Float64Array {
  const stream = createRng("hazard").stream("defects");
  return Float64Array.from(expected, (mean) => {
    let count = 0;
    for (let left = -Math.log(1 - stream.float()); left < mean; count++) {
      left -= Math.log(1 - stream.float());
    }
    return count;
  });
}

describe("how unequal nodes are", () => {
  const alike = Array.from({ length: 200 }, () => 0.5);
  const lemons = Array.from({ length: 200 }, (_, node) => (node % 12 === 0 ? 4 : 0.18));

  it("is learned from how defects fell on them", () => {
    expect(inequalityOf(drawn(alike), 0.5)).toBeLessThan(0.5);
    expect(inequalityOf(drawn(lemons), 0.5)).toBeGreaterThan(2);
  });

  it("is what was believed before as long as there were no defects", () => {
    expect(inequalityOf(new Float64Array(200), 0.01)).toBe(2);
    expect(inequalityOf(Float64Array.of(1), 1)).toBe(2);
    expect(inequalityOf(drawn(alike.map((mean) => mean / 100)), 0.005)).toBeCloseTo(2, 0);
  });

  it("decides how much one defect says about the next", () => {
    const nodes = alike.map((_, at) => ({ name: `n${at}`, sku: "s", rack: `r${at}`, gpus: 8 }));
    const { fleet } = smallLog([], { nodes });
    const factorOf = (onsets: Float64Array) => {
      const rates = onsetRates(fleet, { onsets, hours: 1000, perHour: 0.0005 });
      const [most] = [...onsets.keys()].toSorted((a, b) => (onsets[b] ?? 0) - (onsets[a] ?? 0));
      return (rates[most ?? 0] ?? 0) / 0.0005 / (onsets[most ?? 0] ?? 1);
    };
    expect(factorOf(drawn(lemons))).toBeGreaterThan(2 * factorOf(drawn(alike)));
  });
});
