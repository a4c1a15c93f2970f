import { useEffect, useRef, useState } from "preact/hooks";
import type { CollectiveCurve } from "../../../../src/control/api/studies.ts";
import { type ApiProblem, apiGet } from "../../api/client.ts";
import { toProblem } from "../../api/problem.ts";
import { sessionEdition } from "../../api/session.ts";
import { type CurveChoice, choiceText } from "./compared-curves.ts";

export interface CurveAnswer {
  readonly choice: CurveChoice;
  readonly curve: CollectiveCurve | undefined;
  readonly problem: ApiProblem | undefined;
  retry(): void;
}

type Known = Readonly<
  Record<string, { readonly curve?: CollectiveCurve; readonly problem?: ApiProblem }>
>;

/** The curves of these choices; each is asked for once. A model's answer does not change. */
export function useCurves(choices: readonly CurveChoice[]): readonly CurveAnswer[] {
  const [known, setKnown] = useState<Known>({});
  const asked = useRef(new Set<string>());
  const edition = sessionEdition.value;
  const key = choices.map(choiceText).join(",");
  const ask = (choice: CurveChoice) => {
    const name = choiceText(choice);
    if (asked.current.has(name)) return;
    asked.current.add(name);
    const { op, topology, devices, algorithm } = choice;
    apiGet<CollectiveCurve>("studies/collective", { op, topology, devices, algorithm })
      .then((curve) => setKnown((old) => ({ ...old, [name]: { curve } })))
      .catch((error: unknown) => {
        asked.current.delete(name);
        setKnown((old) => ({ ...old, [name]: { problem: toProblem(error) } }));
      });
  };
  useEffect(() => {
    for (const choice of choices) ask(choice);
  }, [key, edition]);
  return choices.map((choice) => ({
    choice,
    curve: known[choiceText(choice)]?.curve,
    problem: known[choiceText(choice)]?.problem,
    retry: () => ask(choice),
  }));
}
