import { slurmName } from "../../../platform/config/sections/slurm.ts";
import { messageOf } from "../../../platform/errors/index.ts";
import { expandHostlist } from "../../../platform/slurm/index.ts";
import { parseDurationMs } from "../../../platform/units/index.ts";
import type { Invocation } from "../../invocation.ts";
import { usageError } from "../../usage-error.ts";
import { slurmOptionNames } from "./options.ts";

/** Where on a Slurm cluster ranks are asked to run, as typed. */
export interface SlurmPlace {
  readonly nodes: number | undefined;
  readonly ranksPerNode: number | "auto" | undefined;
  readonly partition: string | undefined;
  readonly account: string | undefined;
  readonly qos: string | undefined;
  readonly reservation: string | undefined;
  readonly nodelist: readonly string[];
  readonly exclude: readonly string[];
  readonly timeLimitMs: number;
  readonly pendingMs: number;
  /** Tessera as nodes find it. */
  readonly program: string;
}

const nodesMax = 4096;
const ranksPerNodeMax = 256;

/** What `--on slurm` asks for; undefined when ranks run on this host. @throws E_USAGE */
export async function readSlurmPlace(
  invocation: Invocation,
  command: string,
  /** Whether it was asked for in another way. */
  isSlurm = invocation.options["on"] === "slurm",
): Promise<SlurmPlace | undefined> {
  const { options } = invocation;
  const fail = (problem: string) => usageError(command, problem);
  if (!isSlurm) {
    const needless = slurmOptionNames.find((name) => name !== "on" && options[name] !== undefined);
    if (needless === undefined) return undefined;
    const flag = needless.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw fail(`--${flag} belongs to --on slurm.`);
  }
  const { slurm } = (await invocation.config()).values;
  const { program, partition, account, qos } = slurm;
  if (program === undefined) {
    throw fail(
      "Set `slurm.program` (TESSERA_SLURM_PROGRAM): the path of Tessera, the same on all nodes.",
    );
  }
  const whole = (name: string, flag: string, max: number) =>
    wholeOf(textOf(options[name]), { flag, max, fail });
  const perNode = options["ranksPerNode"];
  return {
    nodes: whole("nodes", "--nodes", nodesMax),
    ranksPerNode:
      perNode === "auto" ? "auto" : whole("ranksPerNode", "--ranks-per-node", ranksPerNodeMax),
    partition,
    account,
    qos,
    reservation: nameOf(textOf(options["reservation"]), { flag: "--reservation", fail }),
    nodelist: hostsOf(textOf(options["nodelist"]), { flag: "--nodelist", fail }),
    exclude: hostsOf(textOf(options["exclude"]), { flag: "--exclude", fail }),
    timeLimitMs: durationOf(textOf(options["time"]) ?? "1h", { flag: "--time", fail }),
    pendingMs: durationOf(textOf(options["pendingTimeout"]) ?? "10m", {
      flag: "--pending-timeout",
      fail,
    }),
    program,
  };
}

interface Reading {
  readonly flag: string;
  readonly fail: (problem: string) => Error;
}

function textOf(option: unknown): string | undefined {
  return typeof option === "string" ? option : undefined;
}

function wholeOf(
  given: string | undefined,
  { flag, max, fail }: Reading & { readonly max: number },
) {
  if (given === undefined) return undefined;
  const value = /^\d{1,6}$/.test(given) ? Number(given) : 0;
  if (value >= 1 && value <= max) return value;
  throw fail(`\`${flag} ${given}\` is not a whole number from 1 to ${max}.`);
}

function nameOf(given: string | undefined, { flag, fail }: Reading): string | undefined {
  if (given === undefined) return undefined;
  const { success, data } = slurmName.safeParse(given);
  if (success) return data;
  throw fail(`\`${flag} ${given}\` is not a name of letters, digits, and . _ + -.`);
}

/** Names of nodes; each becomes part of an argument, so that it may be nothing but a name. */
function hostsOf(given: string | undefined, { flag, fail }: Reading): readonly string[] {
  if (given === undefined) return [];
  let hosts: readonly string[];
  try {
    hosts = expandHostlist(given);
  } catch (error) {
    throw fail(`\`${flag} ${given}\` names no nodes: ${messageOf(error)}.`);
  }
  const odd = hosts.find((host) => !slurmName.safeParse(host).success);
  if (odd !== undefined || hosts.length === 0) {
    throw fail(`\`${flag} ${given}\` does not name nodes.`);
  }
  return hosts;
}

function durationOf(given: string, { flag, fail }: Reading): number {
  try {
    const durationMs = parseDurationMs(given);
    if (durationMs > 0) return durationMs;
  } catch (error) {
    throw fail(`${flag}: ${messageOf(error)}`);
  }
  throw fail(`\`${flag} ${given}\` is no time.`);
}
