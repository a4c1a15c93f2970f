import type { Abilities, EngineTensor } from "../engine/engine.ts";
import type { VerifyStyle } from "../verify/style.ts";
import type { Bench, DlCase, PlanRequest } from "./case.ts";
import { type Computation, type Repeats, runComputation } from "./run-compute.ts";

/** A case that computes outputs from inputs, for `defineCase`. */
export interface CaseDefinition<Size> {
  readonly name: string;
  readonly title: string;
  readonly styles: readonly VerifyStyle[];
  size(request: PlanRequest): Size;
  /** The sizes in words: `8192x8192x8192`. */
  describe(size: Size): string;
  /** Timed iterations by default. */
  readonly iterations: Readonly<Record<"cuda" | "cpu", number>>;
  unsupported?(engine: Abilities): string | undefined;
  /** Makes the inputs; they live until the case is over. */
  prepare<T extends EngineTensor>(bench: Bench<T>, size: Size): Computation<T>;
}

/** How often bits are compared: twice in a look, more often in a thorough run. */
const repeatsOf = { quick: 2, standard: 3, soak: 3 } as const;

/** A row of the table of cases out of what it computes. */
export function defineCase<Size>(definition: CaseDefinition<Size>): DlCase {
  const { name, title, styles, describe, prepare } = definition;
  return {
    name,
    title,
    styles,
    plan: (request) => {
      const size = definition.size(request);
      const repeats: Repeats = {
        repeats: repeatsOf[request.profile],
        iterations: request.iterations ?? definition.iterations[request.engine],
      };
      return {
        name,
        key: `${name} ${describe(size)}`,
        styles,
        unsupported: (engine) => definition.unsupported?.(engine),
        run: (bench) =>
          bench.engine.scopeAsync(() => runComputation(prepare(bench, size), bench, repeats)),
      };
    },
  };
}
