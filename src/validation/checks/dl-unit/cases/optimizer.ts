import type { RandomSpec } from "../../../../runtime/tensor/index.ts";
import type { AdamWParameter, DlEngine, EngineTensor } from "../engine/engine.ts";
import { randomValues } from "../verify/random-values.ts";
import type { Problem } from "../verify/style.ts";
import { isNear } from "../verify/tolerance.ts";
import { type DlCase, scaled, sizeOf } from "./case.ts";
import { defineCase } from "./define-case.ts";
import { adamWElement, sgdElement } from "./optimizer-reference.ts";
import { learning } from "./optimizer-settings.ts";

interface OptimizerSize {
  readonly parameters: number;
  readonly steps: number;
}

/** Steps of f32 arithmetic beside the same in f64. */
const tolerance = { relative: 1e-4, absolute: 1e-5 };
const elementsSampled = 64;

/** Many steps of AdamW and of gradient descent with momentum on one long vector. */
export const optimizerCase: DlCase = defineCase<OptimizerSize>({
  name: "optimizer",
  title: "Optimizer steps in f32",
  styles: ["repeat", "golden", "tolerance"],
  size: (request) => {
    const [power, steps] = sizeOf(
      {
        cuda: { quick: [26, 20], standard: [29, 100] },
        cpu: { quick: [14, 10], standard: [17, 20] },
      },
      request,
    ) as readonly [number, number];
    return { parameters: scaled(2 ** power, request.scale ** 2), steps };
  },
  describe: ({ parameters, steps }) => `${parameters} parameters, ${steps} steps f32`,
  iterations: { cuda: 20, cpu: 3 },
  prepare: ({ engine, seed }, { parameters, steps }) => {
    const source = (stream: string) => {
      const spec: RandomSpec = { kind: "symmetric", seed, stream: `optimizer ${stream}` };
      return { spec, dtype: "f32" as const };
    };
    const [values, gradient] = [source("values"), source("gradient")];
    const start = engine.random([parameters], values);
    const slope = engine.random([parameters], gradient);
    const nothing = engine.zeros([parameters], "f32");
    const begin: AdamWParameter<typeof start> = { values: start, mean: nothing, square: nothing };
    return {
      compute: (of: DlEngine<typeof start>) => ({
        adamW: adamWSteps(of, { begin, gradient: slope, steps }),
        momentum: sgdSteps(of, { values: start, nothing, gradient: slope, steps }),
      }),
      verify: (outputs) => {
        const count = Math.min(elementsSampled, parameters);
        const first = { start: 0, count };
        const [from, slopes] = [randomValues(values, first), randomValues(gradient, first)];
        const rules = { adamW: adamWElement, momentum: sgdElement };
        return Object.entries(rules).flatMap(([name, rule]): readonly Problem[] => {
          const output = outputs[name];
          if (output === undefined) return [];
          const found = engine.download(output, first).toNumbers();
          for (const [at, value] of found.entries()) {
            const right = rule({ value: from[at] ?? 0, gradient: slopes[at] ?? 0, steps });
            if (isNear(value, right, tolerance)) continue;
            const text = `parameter ${at} is ${value} after ${steps} steps of ${name}, and ${right} in f64`;
            return [{ style: "tolerance", text }];
          }
          return [];
        });
      },
      timed: () => void engine.adamW(begin, slope, { step: 1, ...learning }),
      figure: {
        name: "optimizer_ms",
        unit: "ms",
        higherIsBetter: false,
        fromMs: (timeMs) => timeMs,
      },
    };
  },
});

function adamWSteps<T extends EngineTensor>(
  engine: DlEngine<T>,
  given: { readonly begin: AdamWParameter<T>; readonly gradient: T; readonly steps: number },
): T {
  return lastValues(engine, given.begin, given.steps, (before, step) =>
    engine.adamW(before, given.gradient, { step, ...learning }),
  );
}

function sgdSteps<T extends EngineTensor>(
  engine: DlEngine<T>,
  given: {
    readonly values: T;
    readonly nothing: T;
    readonly gradient: T;
    readonly steps: number;
  },
): T {
  const begin = { values: given.values, velocity: given.nothing };
  return lastValues(engine, begin, given.steps, (before) =>
    engine.sgdMomentum(before, given.gradient, learning),
  );
}

/** The values after so many steps. Of all between, two steps are held at a time: they fill a GPU. */
function lastValues<T extends EngineTensor, State extends { readonly values: T }>(
  engine: DlEngine<T>,
  begin: State,
  steps: number,
  advance: (before: State, step: number) => State,
): T {
  let state = begin;
  for (let step = 1; step <= steps; step++) {
    const before = state;
    state = advance(before, step);
    if (step > 1) engine.drop(tensorsOf<T>(before));
  }
  engine.drop(tensorsOf<T>(state).filter((tensor) => tensor !== state.values));
  return state.values;
}

function tensorsOf<T>(state: object): T[] {
  return Object.values(state) as T[];
}
