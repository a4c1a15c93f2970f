import { stringify } from "yaml";
import type { ExperimentFile } from "../schema/index.ts";

const lineWidth = 100;

/** An experiment as the text of its file. @param comment what stands above it, for people. */
export function experimentText(experiment: ExperimentFile, comment = ""): string {
  const lines = comment === "" ? [] : comment.split("\n").map((line) => `# ${line}`.trimEnd());
  return [...lines, stringify(experiment, { lineWidth, aliasDuplicateObjects: false })].join("\n");
}
