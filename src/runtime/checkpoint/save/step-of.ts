import { TesseraError } from "../../../platform/errors/index.ts";
import type { State } from "../state.ts";

/**
 * The step that a state is of. Where several places say it, they must agree: a model of one step with
 * the optimizer of another is no state that a run ever had.
 *
 * @throws E_CHECKPOINT_STATE
 */
export function stepOf(tag: string, state: State, given?: number): number | null {
  const said = [
    ["the option step", given],
    ["step", state["step"]],
    ["model/step", below(state["model"])],
    ["optimizer/step", below(state["optimizer"])],
  ] as const;
  const steps = said.flatMap(([where, step]) =>
    typeof step === "number" ? [{ where, step }] : [],
  );
  const [first] = steps;
  if (first === undefined) return null;
  const refuse = (problem: string) => new TesseraError("E_CHECKPOINT_STATE", { tag, problem });
  for (const { where, step } of steps) {
    if (!Number.isSafeInteger(step) || step < 0 || Object.is(step, -0)) {
      throw refuse(`${where} is ${step}, which is no step`);
    }
    if (step !== first.step) {
      throw refuse(`${first.where} is ${first.step} and ${where} is ${step}: two different steps`);
    }
  }
  return first.step;
}

function below(node: unknown): unknown {
  if (typeof node !== "object" || node === null || !Object.hasOwn(node, "step")) return undefined;
  return (node as Readonly<Record<string, unknown>>)["step"];
}
