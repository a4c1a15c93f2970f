import { closest } from "../../platform/config/index.ts";
import { TesseraError } from "../../platform/errors/index.ts";
import type { JsonObject } from "../../platform/store/index.ts";
import { firstIssue } from "../collect/result-schema.ts";
import type { Check, CheckHost } from "./check.ts";
import { createCommandCheck } from "./command/index.ts";
import { createDlUnit } from "./dl-unit/index.ts";
import { createHostCompute } from "./host-compute/index.ts";
import { createNcclLoopback } from "./nccl-loopback/index.ts";
import { collectPlugIns, createPlugInCheck, type PlugIns, plugInKey } from "./plug-in/index.ts";
import { createStorageIo } from "./storage-io/index.ts";

/** Every check there is, apart from programs of users' own. */
export const checkCatalogue: readonly Check[] = [
  createHostCompute(),
  createDlUnit(),
  createNcclLoopback(),
  createStorageIo(),
];

/** A check's name: part of paths, labels and job names. */
const namePattern = /^[a-z][a-z0-9-]{0,39}$/;

/**
 * The check of a name. A name that the catalogue does not have is a user's own program, when its
 * options say which (`command`) or where it is described (`plugin`).
 *
 * @throws TesseraError E_CHECK_UNKNOWN or E_PLUGIN_INVALID
 */
export function findCheck(name: string, options: JsonObject = {}): Check {
  const found = checkCatalogue.find((check) => check.name === name);
  if (found !== undefined) return found;
  const { [plugInKey]: manifest } = options;
  if (typeof manifest === "string") return describedCheck(name, manifest);
  if (options["command"] !== undefined && namePattern.test(name)) {
    const { minutes } = options;
    return createCommandCheck(name, typeof minutes === "number" ? { minutes } : {});
  }
  const near = closest(name, new Set(checkCatalogue.map((check) => check.name)));
  const suggestion = near === undefined ? "" : ` (did you mean ${near}?)`;
  throw new TesseraError("E_CHECK_UNKNOWN", { check: name.slice(0, 100), suggestion });
}

/**
 * The checks that these manifests describe.
 *
 * @throws TesseraError E_PLUGIN_INVALID for one that is not valid, or has a name that is taken.
 */
export function findPlugIns(paths: readonly string[]): PlugIns {
  const reserved = checkCatalogue.map(({ name }) => [name, "one of our own checks"]);
  return collectPlugIns(paths, Object.fromEntries(reserved));
}

function describedCheck(name: string, manifest: string): Check {
  const check = createPlugInCheck(manifest);
  if (check.name === name) return check;
  const problem = `name: it is ${check.name}, and ${name} was asked for`;
  throw new TesseraError("E_PLUGIN_INVALID", { path: manifest, problem });
}

/** A check that can run here, with its options as its schema has them. */
export interface PreparedCheck {
  readonly check: Check;
  readonly options: unknown;
}

/**
 * Finds a check and makes sure that it can run on a machine with these options.
 *
 * @throws TesseraError E_CHECK_UNKNOWN, E_PLUGIN_INVALID, E_CHECK_OPTIONS or E_CHECK_UNAVAILABLE
 */
export function prepareCheck(name: string, options: JsonObject, host: CheckHost): PreparedCheck {
  const check = findCheck(name, options);
  const requirement = check.requirements(host);
  if (!requirement.met) {
    throw new TesseraError("E_CHECK_UNAVAILABLE", { check: name, reason: requirement.reason });
  }
  const parsed = check.options.safeParse(options);
  if (!parsed.success) {
    throw new TesseraError("E_CHECK_OPTIONS", { check: name, problem: firstIssue(parsed.error) });
  }
  return { check, options: parsed.data };
}

/** Which checks can run on a machine, and why the others cannot. */
export function availableChecks(
  host: CheckHost,
  checks: readonly Check[] = checkCatalogue,
): {
  readonly available: readonly string[];
  readonly unavailable: Readonly<Record<string, string>>;
} {
  const asked = checks.map(({ name, requirements }) => [name, requirements(host)] as const);
  return {
    available: asked.flatMap(([name, { met }]) => (met ? [name] : [])),
    unavailable: Object.fromEntries(
      asked.flatMap(([name, answer]) => (answer.met ? [] : [[name, answer.reason]])),
    ),
  };
}
