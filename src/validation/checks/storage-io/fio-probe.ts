import type { Finding, Probe, ProbeContext } from "../../../platform/doctor/finding.ts";
import {
  askTool,
  findProgram,
  firstLine,
  problemOf,
  succeeded,
} from "../../../platform/doctor/program.ts";

// Without one of these fio waits for every single write, and a fast disk looks slow.
const enginesWanted = ["io_uring", "libaio"];

/** Which fio there is, and whether it can keep many requests in flight. */
export function fioProbe(): Probe {
  return {
    id: "fio",
    title: "fio",
    required: false,
    neededFor: "the storage check",
    find: findFio,
  };
}

async function findFio(context: ProbeContext): Promise<Finding> {
  const path = await findProgram("fio", context.env);
  if (path === undefined) {
    return { state: "missing", reason: "No fio was found.", hint: "Install the package fio." };
  }
  const asked = await askTool([path, "--version"], context);
  if (!asked.ran || !succeeded(asked)) {
    return {
      state: "unknown",
      reason: `${path} does not tell its version: ${problemOf(asked)}.`,
      hint: "Reinstall fio.",
      evidence: { path },
    };
  }
  const version = firstLine(asked.result.stdout).replace(/^fio-/, "");
  const listed = await askTool([path, "--enghelp"], context);
  const engines = listed.ran ? enginesIn(listed.result.stdout) : [];
  const usable = enginesWanted.filter((engine) => engines.includes(engine));
  const evidence = { path, version, engines };
  if (usable.length === 0) {
    return {
      state: "limited",
      reason: `fio ${version} at ${path} has neither ${enginesWanted.join(" nor ")}.`,
      hint: "Install a fio built with libaio or io_uring; without, results understate the disk.",
      evidence,
    };
  }
  const reason = `fio ${version} at ${path}, with ${usable.join(" and ")}.`;
  return { state: "works", reason, evidence };
}

/** The names below the heading of `fio --enghelp`. */
export function enginesIn(output: string): string[] {
  return output
    .split("\n")
    .filter((line) => /^\s+\S/.test(line))
    .map((line) => line.trim());
}
