import { createRequire } from "node:module";
import type { Finding, Probe, ProbeContext } from "./finding.ts";
import { askTool, findProgram, firstLine, problemOf, succeeded } from "./program.ts";

const names = [
  "chromium",
  "chromium-browser",
  "google-chrome-stable",
  "google-chrome",
  "chrome",
  "microsoft-edge",
];
const packageName = "@sparticuz/chromium";

/** Which Chromium there is. Only tests and pictures of the dashboard need one on this machine. */
export function browserProbe(): Probe {
  return {
    id: "browser",
    title: "Browser",
    required: false,
    neededFor: "testing the dashboard on this machine; any browser elsewhere can show it",
    find: findBrowser,
  };
}

async function findBrowser(context: ProbeContext): Promise<Finding> {
  const problems: string[] = [];
  const given = context.env["CHROMIUM_PATH"];
  const candidates = given === undefined ? [] : [given];
  for (const name of names) {
    const path = await findProgram(name, context.env);
    if (path !== undefined) candidates.push(path);
  }
  for (const path of candidates) {
    const answer = await askTool([path, "--version"], context);
    if (answer.ran && succeeded(answer)) {
      const version = firstLine(answer.result.stdout);
      return { state: "works", reason: `${version} at ${path}.`, evidence: { path, version } };
    }
    problems.push(`${path}: ${problemOf(answer)}`);
  }
  return withoutBrowser(problems);
}

function withoutBrowser(problems: readonly string[]): Finding {
  if (hasPackage()) {
    return {
      state: "works",
      reason: `No browser is installed; the npm package ${packageName} carries one.`,
      evidence: { package: packageName, problems },
    };
  }
  const broken = problems.length === 0 ? "" : ` (${problems.join("; ")})`;
  return {
    state: "missing",
    reason: `No Chromium was found${broken}.`,
    hint: "Install chromium, or set CHROMIUM_PATH to a browser.",
    evidence: { problems },
  };
}

function hasPackage(): boolean {
  try {
    createRequire(import.meta.url).resolve(packageName);
    return true;
  } catch {
    return false;
  }
}
