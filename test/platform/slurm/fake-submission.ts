import type { SlurmSubmission } from "../../../src/platform/slurm/index.ts";
import { expandHostlist } from "../../../src/platform/slurm/index.ts";

/** What the fake controller understands of sbatch's options; the others change nothing. */
export interface FakeRequest {
  readonly name: string;
  readonly partition: string;
  readonly qos: string;
  readonly account: string;
  readonly reservation: string;
  readonly comment: string;
  readonly requestedNodes: readonly string[];
  readonly nodeCount: number;
  readonly tasks: readonly number[] | undefined;
  readonly singleton: boolean;
  readonly requeue: boolean;
}

const shortNames: Readonly<Record<string, string>> = {
  "-J": "--job-name",
  "-p": "--partition",
  "-q": "--qos",
  "-A": "--account",
  "-w": "--nodelist",
  "-N": "--nodes",
  "-a": "--array",
  "-d": "--dependency",
};

export function requestOf(submission: SlurmSubmission): FakeRequest {
  const options = readOptions(submission.args);
  const requestedNodes = expandHostlist(options.get("--nodelist") ?? "");
  const count = Number(/^\d+/.exec(options.get("--nodes") ?? "")?.[0] ?? 1);
  return {
    name: options.get("--job-name") ?? "sbatch",
    partition: options.get("--partition") ?? "batch",
    qos: options.get("--qos") ?? "",
    account: options.get("--account") ?? "",
    reservation: options.get("--reservation") ?? "",
    comment: options.get("--comment") ?? "",
    requestedNodes,
    nodeCount: Math.max(count, requestedNodes.length),
    tasks: tasksOf(options.get("--array")),
    singleton: options.get("--dependency") === "singleton",
    requeue: !options.has("--no-requeue"),
  };
}

/** `--name=value`, `--flag`, `-J name` and `-Jname`, as sbatch takes them. */
function readOptions(args: readonly string[]): Map<string, string> {
  const options = new Map<string, string>();
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    const long = shortNames[arg.slice(0, 2)];
    if (arg.startsWith("--")) {
      const [name = "", ...value] = arg.split("=");
      options.set(name, value.join("="));
    } else if (long !== undefined) {
      options.set(long, arg.length > 2 ? arg.slice(2) : (args[++at] ?? ""));
    }
  }
  return options;
}

function tasksOf(text: string | undefined): number[] | undefined {
  if (text === undefined) return undefined;
  const [list = ""] = text.split("%");
  return list.split(",").flatMap((range) => {
    const [first = 0, last = first] = range.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
}
