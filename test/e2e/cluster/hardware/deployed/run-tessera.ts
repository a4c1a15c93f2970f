import { delimiter, dirname, join } from "node:path";
import { kubernetes } from "../../../../cluster/binaries/parts.ts";
import { partPrograms } from "../../../../cluster/binaries/resolve.ts";
import { type CliResult, distDir, runCli } from "../../../../support/built-cli.ts";

/** Of the document that `tessera hw test --json` prints, what tests look at. */
export interface TestDocument {
  readonly outcome: string;
  readonly reason: string;
  readonly node: string;
  readonly recovery: {
    readonly times: Readonly<Record<string, number | null>>;
    readonly cordonedBy: string | null;
    readonly shares: Readonly<Record<string, { readonly low: number; readonly trials: number }>>;
  };
}

/** Runs the built program as somebody does who has a kubeconfig and kubectl, and nothing else. */
export async function runTessera(kubeconfig: string, args: readonly string[]): Promise<CliResult> {
  const { kubectl = "" } = partPrograms([kubernetes]);
  const PATH = [dirname(kubectl), process.env["PATH"] ?? ""].join(delimiter);
  const script = join(distDir, "bundle", "tessera.mjs");
  return await runCli(args, { script, env: { KUBECONFIG: kubeconfig, PATH }, limitMs: 200_000 });
}
