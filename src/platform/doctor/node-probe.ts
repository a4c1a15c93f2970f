import type { Finding, Probe, ProbeContext } from "./finding.ts";
import { askTool, findProgram, firstLine, succeeded } from "./program.ts";

// engines.node of package.json; a test keeps them equal.
export const nodeVersionMin = "20.19";

/** Whether this Node.js is new enough, and which npm comes with it. */
export function nodeProbe(options: { readonly version?: string } = {}): Probe {
  const version = options.version ?? process.versions.node;
  return {
    id: "node",
    title: "Node.js",
    required: true,
    neededFor: "everything",
    find: (context) => findNode(version, context),
  };
}

async function findNode(version: string, context: ProbeContext): Promise<Finding> {
  const npm = await findNpm(context);
  const evidence = {
    version,
    versionMin: nodeVersionMin,
    path: process.execPath,
    npm: npm ?? null,
  };
  if (!isAtLeast(version, nodeVersionMin)) {
    return {
      state: "missing",
      reason: `Node.js ${version} is older than ${nodeVersionMin}.`,
      hint: `Install Node.js ${nodeVersionMin} or newer.`,
      evidence,
    };
  }
  const withNpm =
    npm === undefined ? "no npm on the PATH, which only installing needs" : `npm ${npm}`;
  return { state: "works", reason: `Node.js ${version}, ${withNpm}.`, evidence };
}

async function findNpm(context: ProbeContext): Promise<string | undefined> {
  const path = await findProgram("npm", context.env);
  if (path === undefined) return undefined;
  const answer = await askTool([path, "--version"], context);
  return answer.ran && succeeded(answer) ? firstLine(answer.result.stdout) : undefined;
}

/** Compares the numbers of two versions: 20.20.2 is at least 20.19. */
export function isAtLeast(version: string, least: string): boolean {
  const have = numbersOf(version);
  for (const [index, wanted] of numbersOf(least).entries()) {
    const got = have[index] ?? 0;
    if (got !== wanted) return got > wanted;
  }
  return true;
}

function numbersOf(version: string): number[] {
  return version
    .replace(/^v/, "")
    .split(/[.+-]/)
    .map(Number)
    .filter((part) => Number.isInteger(part));
}
