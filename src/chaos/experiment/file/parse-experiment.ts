import { TesseraError } from "../../../platform/errors/index.ts";
import { type Experiment, experimentSchema } from "../schema/index.ts";
import { describeProblems } from "./describe-problem.ts";
import { readYamlText, type TextPlace, type TextProblem } from "./yaml-text.ts";

/** A thousand times what a person writes by hand; minimised plans of large worlds fit too. */
export const experimentBytesMax = 1024 * 1024;
const shownMax = 5;

/**
 * An experiment from the text of its file.
 *
 * @param file its name for people.
 * @throws TesseraError E_EXPERIMENT naming file, line and column, what was wrong and what was probably meant.
 */
export function parseExperiment(text: string, file: string): Experiment {
  if (Buffer.byteLength(text) > experimentBytesMax) {
    const problem = "it is larger than 1 MiB";
    throw experimentError(file, [{ place: { line: 1, column: 1 }, problem }]);
  }
  const yaml = readYamlText(text);
  if (yaml.problems.length > 0) throw experimentError(file, yaml.problems);
  if (yaml.value === null || yaml.value === undefined) {
    throw experimentError(file, [{ place: yaml.placeOf([]), problem: "it is empty" }]);
  }
  const parsed = experimentSchema.safeParse(yaml.value);
  if (parsed.success) return parsed.data;
  const problems = describeProblems(parsed.error.issues, yaml.value).map(
    ({ path, of, problem }): TextProblem => ({ place: yaml.placeOf(path, of), problem }),
  );
  throw experimentError(file, problems);
}

/** All that is wrong in one error, in the order of lines. */
function experimentError(file: string, problems: readonly TextProblem[]): TesseraError {
  const sorted = problems.toSorted(
    ({ place: a }, { place: b }) => a.line - b.line || a.column - b.column,
  );
  const [first = { place: { line: 1, column: 1 }, problem: "it cannot be read" }] = sorted;
  const others = sorted.slice(1, shownMax).map((one) => `${placeText(one.place)}: ${one.problem}`);
  const rest = sorted.length - 1 - others.length;
  const more = [...others, ...(rest > 0 ? [`and ${rest} more`] : [])];
  return new TesseraError("E_EXPERIMENT", {
    file,
    problem: first.problem,
    place: [placeText(first.place), ...more].join("; "),
    line: first.place.line,
    column: first.place.column,
    problems: sorted.map((one) => `${placeText(one.place)}: ${one.problem}`),
  });
}

function placeText({ line, column }: TextPlace): string {
  return `line ${line}:${column}`;
}
