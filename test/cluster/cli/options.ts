import { parseArgs } from "node:util";
import { ClusterError } from "../errors.ts";
import { checkClusterName } from "../registry/names.ts";
import type { ClusterShape } from "../registry/record.ts";
import { slurmNodesMax } from "../slurm/addresses.ts";

export const commands = ["up", "down", "status", "build"] as const;
export type Command = (typeof commands)[number];

/** What the user typed, checked. */
export interface CommandLine {
  readonly command: Command | "help";
  readonly name: string;
  readonly shape: ClusterShape;
  readonly install: boolean;
  readonly json: boolean;
}

export const usage = `usage: npm run cluster -- COMMAND [options]

  up       start a cluster and leave it running
  down     stop it; nothing of it stays
  status   the clusters of this machine, their components and health
  build    build the programs that the options need, and start nothing

  --nodes N     real nodes: kubelet, containerd, runc, 8 simulated GPUs each (up, build)
  --kwok N      KWOK nodes, 8 simulated GPUs each (up, build)
  --volcano     Volcano's scheduler, controllers and admission (up, build)
  --slurm N     Slurm with N nodes beside it: a slurmd each, 8 simulated GPUs (up, build)
  --slurm-accounting   slurmdbd and its database, users and QOS (up, build)
  --no-kubernetes      Slurm only (up, build)
  --name NAME   which cluster (default: default)
  --install     install missing Debian packages with apt-get (up, build)
  --json        machine-readable result on stdout
  --help        this text
`;

const nodesMax = 20;
const kwokMax = 10_000;

/** Reads the command line; what it does not understand is refused with a ClusterError. */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const { values, positionals } = parse(args);
  const [command, ...surplus] = positionals;
  const isHelp = values.help === true || command === undefined;
  if (surplus.length > 0) throw misuse(`"${surplus[0]}" is one word too many`);
  return {
    command: isHelp ? "help" : checkCommand(command),
    name: checkClusterName(values.name ?? "default"),
    shape: checkShape({
      kubernetes: values["no-kubernetes"] !== true,
      nodes: count("--nodes", values.nodes, nodesMax),
      kwok: count("--kwok", values.kwok, kwokMax),
      volcano: values.volcano ?? false,
      slurm: count("--slurm", values.slurm, slurmNodesMax),
      slurmAccounting: values["slurm-accounting"] ?? false,
    }),
    install: values.install ?? false,
    json: values.json ?? false,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        nodes: { type: "string" },
        kwok: { type: "string" },
        volcano: { type: "boolean" },
        slurm: { type: "string" },
        "slurm-accounting": { type: "boolean" },
        "no-kubernetes": { type: "boolean" },
        name: { type: "string" },
        install: { type: "boolean" },
        json: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw misuse(message.split(/[.:] /)[0] ?? message);
  }
}

function checkShape(shape: ClusterShape): ClusterShape {
  if (shape.slurmAccounting && shape.slurm === 0) throw misuse("--slurm-accounting needs --slurm");
  if (shape.kubernetes) return shape;
  if (shape.slurm === 0) throw misuse("--no-kubernetes without --slurm leaves nothing");
  if (shape.nodes > 0 || shape.kwok > 0 || shape.volcano) {
    throw misuse("--nodes, --kwok and --volcano need what --no-kubernetes refuses");
  }
  return shape;
}

function checkCommand(command: string): Command {
  const known = commands.find((name) => name === command);
  if (known === undefined) throw misuse(`there is no command "${command}"`);
  return known;
}

function count(option: string, text: string | undefined, max: number): number {
  if (text === undefined) return 0;
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= max) return value;
  throw misuse(`${option} takes a whole number from 0 to ${max}, not "${text}"`);
}

function misuse(what: string): ClusterError {
  return new ClusterError(`${what}; try "npm run cluster -- --help"`, { exitCode: 2 });
}
