import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { helm } from "../../cluster/binaries/parts.ts";
import { partPrograms } from "../../cluster/binaries/resolve.ts";
import { repositoryRoot } from "../../cluster/machine/repository.ts";

export const chartFolder = join(repositoryRoot(), "charts", "tessera");

/** Values of the chart, as in `values.yaml`. */
export type Values = Readonly<Record<string, unknown>>;

/** An object as the chart renders it. */
export interface Rendered {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly rules?: readonly Rule[];
  readonly data?: Readonly<Record<string, string>>;
  readonly subjects?: readonly { readonly name: string; readonly namespace: string }[];
  readonly roleRef?: { readonly kind: string; readonly name: string };
  readonly spec?: Readonly<Record<string, unknown>>;
}

/** A rule of a role. */
export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** The real Helm, as the test cluster's programs have it; undefined before it is built. */
export function helmProgram(): string | undefined {
  try {
    return partPrograms([helm])["helm"];
  } catch {
    return undefined;
  }
}

/** What a test suite says in its title where there is no Helm. */
export const noHelm = reasonToSkip();

/** Throws where the control plane was built, and Helm with it: nothing may be skipped there. */
function reasonToSkip(): string {
  if (helmProgram() !== undefined) return "";
  if (process.env["CONTROL_PLANE_OF_TESTS"] === "built") throw new Error("Helm was not built");
  return " (skipped: no Helm; `npm run cluster -- build` builds it)";
}

/** Values without which nothing is rendered. */
export const leastValues: Values = {
  image: { repository: "registry.example/tessera" },
  validation: { image: "registry.example/tessera-node:1.0" },
};

/** The chart as text, as `helm template` gives it. Throws with what Helm says. */
export function renderText(values: Values, release = "tessera", namespace = "tessera"): string {
  const args = ["template", release, chartFolder, "--namespace", namespace, "--values", "-"];
  return runHelm(args, JSON.stringify(values));
}

/** The same, as objects. */
export function render(values: Values, release?: string, namespace?: string): Rendered[] {
  return parseAllDocuments(renderText(values, release, namespace))
    .map((document) => document.toJS() as Rendered | null)
    .filter((object) => object !== null);
}

/** What `helm lint` finds. Throws where it is an error. */
export function lint(values: Values): string {
  return runHelm(["lint", chartFolder, "--strict", "--values", "-"], JSON.stringify(values));
}

function runHelm(args: readonly string[], input: string): string {
  const program = helmProgram();
  if (program === undefined) throw new Error("there is no Helm");
  const env = { PATH: "/usr/bin:/bin", HOME: "/nonexistent" };
  const { status, stdout, stderr } = spawnSync(program, args, { input, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`${stderr}${stdout}`);
  return stdout;
}
