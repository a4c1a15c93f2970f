import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FakeApi, failure } from "../../platform/kube/support/fake-api.ts";
import {
  fromCli,
  type Provocation,
  type ProvocationContext,
  type Provoked,
} from "../provocation.ts";

/** Validates a cluster once, with a configuration made of these lines for the cluster. */
async function validate(
  { cli, tempDir }: ProvocationContext,
  server: string,
  lines: readonly string[] = ["resultUrl: https://tessera.example"],
): Promise<Provoked> {
  const kubeconfig = join(tempDir, "kubeconfig");
  await writeFile(
    kubeconfig,
    [
      "current-context: c",
      `clusters: [{name: k, cluster: {server: "${server}"}}]`,
      "users: [{name: u, user: {token: t}}]",
      "contexts: [{name: c, context: {cluster: k, user: u}}]",
    ].join("\n"),
  );
  const config = join(tempDir, "tessera.yaml");
  const image = `tessera@sha256:${"0".repeat(64)}`;
  const entry = ["name: prod", "kind: kubernetes", `image: "${image}"`, ...lines];
  const own = [...entry, `kubeconfig: ${kubeconfig}`].map((line) => `      ${line}`);
  await writeFile(config, ["validation:", "  clusters:", "    -", ...own, ""].join("\n"));
  const env = { TESSERA_DATA_DIR: tempDir };
  return fromCli(await cli(["validate", "--once", "--config", config], { env }));
}

/** Validates with a job template that reads like this. */
async function withTemplate(context: ProvocationContext, text: string): Promise<Provoked> {
  const template = join(context.tempDir, "template.yaml");
  await writeFile(template, text);
  return await validate(context, "http://127.0.0.1:1", [
    `template: ${template}`,
    "resultUrl: https://tessera.example",
  ]);
}

export const provocations: readonly Provocation[] = [
  {
    code: "E_TEMPLATE_INVALID",
    how: "a job template with a placeholder that does not exist",
    provoke: (context) =>
      withTemplate(context, 'apiVersion: batch/v1\nkind: Job\nmetadata: { name: "{{jobNam}}" }\n'),
  },
  {
    code: "E_TEMPLATE_INVALID",
    how: "a job template of two documents",
    provoke: (context) => withTemplate(context, "a: 1\n---\nb: 2\n"),
  },
  {
    code: "E_NO_WAY_HOME",
    how: "a cluster without a results volume, with a server that only this machine reaches",
    provoke: (context) => validate(context, "http://127.0.0.1:1", []),
  },
  {
    code: "E_JOB_REFUSED",
    how: "a cluster whose admission does not allow our jobs",
    provoke: async (context) => {
      const api = await FakeApi.start();
      const allocatable = { cpu: "64", memory: "512Gi", pods: "110", "nvidia.com/gpu": "8" };
      const conditions = [{ type: "Ready", status: "True" }];
      api.put("/api/v1/nodes", {
        metadata: { name: "gpu-1" },
        ...{ status: { allocatable, conditions } },
      });
      api.intercept = ({ method, url }, response) => {
        if (method !== "POST" || !url.pathname.endsWith("/jobs")) return false;
        const body = failure(403, "Forbidden", { message: "policy: hostPath is not allowed" });
        response.writeHead(403, { "content-type": "application/json" }).end(JSON.stringify(body));
        return true;
      };
      try {
        return await validate(context, `http://127.0.0.1:${api.port}`);
      } finally {
        await api.stop();
      }
    },
  },
];
