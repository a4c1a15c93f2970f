import { TesseraError } from "../../../platform/errors/index.ts";
import { caseTable, soakCases, thoroughCases } from "./cases/index.ts";
import type { DeviceTask } from "./device-report.ts";
import type { EngineName } from "./engine/engine.ts";
import type { DlUnitOptions } from "./options.ts";
import type { VisibleGpus } from "./visible-gpus.ts";

const hourMs = 3_600_000;
/** So that a vote is one between two, at least. */
const processesDefault = 2;

/**
 * GPUs where there are some.
 *
 * @throws TesseraError E_CHECK_FAILED when GPUs are asked for, or must be there, and cannot be used.
 */
export function chooseEngine({ engine, devices }: DlUnitOptions, gpus: VisibleGpus): EngineName {
  const { count, problem, reason } = gpus;
  if (engine === "cpu") return engine;
  // A node whose GPUs went away is not a node without GPUs.
  if (problem !== undefined) throw cannotRun(problem);
  if (engine === "auto" && count === 0) return "cpu";
  if (engine === "torch") return engine;
  if (count === 0) throw cannotRun(`it was to use GPUs, and there is none: ${reason}`);
  if (devices !== undefined && devices > count) {
    throw cannotRun(`${devices} GPUs were asked for, and there are ${count}`);
  }
  return "cuda";
}

/** How many devices take part. */
export function countDevices(
  { devices }: DlUnitOptions,
  { count }: VisibleGpus,
  engine: "cuda" | "cpu",
): number {
  if (engine === "cpu") return devices ?? processesDefault;
  return devices ?? count;
}

function cannotRun(problem: string): TesseraError {
  return new TesseraError("E_CHECK_FAILED", {
    check: "dl-unit",
    problem: problem.replace(/\.$/, ""),
  });
}

/** What every device is told. */
export function taskOf(
  options: DlUnitOptions,
  given: {
    readonly engine: "cuda" | "cpu";
    readonly profile: DeviceTask["profile"];
    readonly seed: string;
  },
): DeviceTask {
  const { engine, profile, seed } = given;
  const { scale, iterations, corrupt } = options;
  const all = caseTable
    .map(({ name }) => name)
    .filter((name) => profile !== "quick" || !thoroughCases.has(name));
  const cases = options.cases ?? all;
  const repeatMs = options.durationMs ?? (profile === "soak" ? hourMs : 0);
  return {
    engine,
    profile,
    cases: [...cases],
    repeated: repeatMs > 0 ? soakCases.filter((name) => cases.includes(name)) : [],
    repeatMs,
    scale,
    ...(iterations === undefined ? {} : { iterations }),
    seed,
    ...(corrupt === undefined ? {} : { corrupt: withoutUndefined(corrupt) }),
  };
}

function withoutUndefined(
  corrupt: NonNullable<DlUnitOptions["corrupt"]>,
): NonNullable<DeviceTask["corrupt"]> {
  const { repeat, ...rest } = corrupt;
  return repeat === undefined ? rest : { ...rest, repeat };
}
