import { stringify } from "yaml";
import { type ExitCode, exitCodes } from "../../platform/errors/index.ts";
import { type Manifest, newSecret, rankJobManifests } from "../../runtime/ranks/index.ts";
import type { CollectiveInput } from "../../runtime/ranks/tasks/collective.ts";
import type { Invocation } from "../invocation.ts";
import { writeJson } from "../output.ts";
import type { MeasuredRequest } from "./measured-request.ts";
import { text } from "./request.ts";
import { collectiveUsage } from "./usage.ts";

const namespacePattern = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Prints what measures the collective across nodes; each print has a secret of its own. */
export async function printManifests(
  { io, globals, options }: Invocation,
  request: MeasuredRequest,
): Promise<ExitCode> {
  const image = text(options["image"]);
  if (image === undefined || image === "") {
    throw collectiveUsage("--manifests needs --image, the image that holds Tessera.");
  }
  const { ranks, transport, op, sizes, dtype, iterations } = request;
  if (ranks === undefined) throw collectiveUsage("--manifests needs --ranks, one for each node.");
  const namespace = text(options["namespace"]) ?? "default";
  if (!namespacePattern.test(namespace)) {
    throw collectiveUsage(`--namespace is ${JSON.stringify(namespace)}, not a namespace's name.`);
  }
  const overGpus = transport === "nccl";
  const input: CollectiveInput = {
    op,
    sizes: [...sizes],
    dtype,
    iterations,
    transport: overGpus ? "nccl" : "tcp",
  };
  const manifests = rankJobManifests({
    kind: options["manifests"] === "volcano" ? "volcano" : "job",
    name: `tessera-${op}`,
    namespace,
    ranks,
    image,
    task: "collective",
    input,
    secret: newSecret(),
    gpus: overGpus ? 1 : 0,
  });
  if (globals.json) writeJson(io.stdout, list(manifests));
  else
    io.stdout.write(
      manifests.map((one) => stringify(one, { aliasDuplicateObjects: false })).join("---\n"),
    );
  return exitCodes.good;
}

function list(items: readonly Manifest[]): Manifest {
  return { apiVersion: "v1", kind: "List", items };
}
