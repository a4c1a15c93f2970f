import { z } from "zod";
import type { JsonObject } from "../../../platform/store/index.ts";
import type { Finding } from "../../../validation/checks/gate/index.ts";
import { type AsideOptions, runAside } from "./run-aside.ts";

/** Of the report of `tessera check run --json`, or of its error, what a gate needs. */
const printed = z.union([
  z.object({ error: z.object({ message: z.string() }) }),
  z.object({
    sections: z.array(
      z.object({ items: z.array(z.object({ status: z.string(), reason: z.string() })) }),
    ),
  }),
]);

const wordsMax = 400;

/** Has a process of its own run a check here, and says in a sentence what came of it. */
export async function checkAside(
  {
    check,
    options,
    done,
  }: {
    readonly check: string;
    readonly options: JsonObject;
    /** What a good answer means. */
    readonly done: string;
  },
  how: Omit<AsideOptions, "onLine">,
): Promise<Finding> {
  const is = (status: Finding["status"], words: string): Finding => {
    return { name: check, status, words: words.slice(0, wordsMax) };
  };
  const lines: string[] = [];
  let complaint = "";
  const args = ["check", "run", check, "--profile", "quick", "--json"];
  const end = await runAside({
    ...how,
    command: [...how.command, ...args, "--options", JSON.stringify(options)],
    onLine: (line, stream) => {
      if (stream === "stdout") lines.push(line);
      else complaint ||= line;
    },
  });
  if (end.kind === "late") {
    const seconds = Number((how.timeoutMs / 1000).toFixed(1));
    return is("unknown", `${check} did not end within ${seconds} s`);
  }
  if (end.kind === "not-started") return is("unknown", `${check}: ${end.problem}`);
  if (end.exitCode === 0) return is("pass", done);
  const { problem, wrong } = readPrinted(lines.join("\n"));
  if (end.exitCode === 1 && wrong.length > 0) {
    const more = wrong.length > 1 ? `, and ${wrong.length - 1} more` : "";
    return is("fail", `${wrong[0]}${more}`);
  }
  return is("unknown", `${check} could not run: ${problem ?? (complaint || "it was killed")}`);
}

function readPrinted(text: string): {
  readonly problem?: string;
  readonly wrong: readonly string[];
} {
  const parsed = printed.safeParse(jsonOf(text)).data;
  if (parsed === undefined) return { wrong: [] };
  if ("error" in parsed) return { problem: parsed.error.message, wrong: [] };
  const items = parsed.sections.flatMap((section) => section.items);
  return { wrong: items.filter(({ status }) => status === "fail").map(({ reason }) => reason) };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
