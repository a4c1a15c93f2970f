import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { ErrorCode } from "../../../src/platform/errors/index.ts";
import {
  fromCli,
  type Provocation,
  type ProvocationContext,
  type Provoked,
} from "../provocation.ts";

/** A kubeconfig in YAML for a server, with whatever the user entry says. */
function kubeconfig(server: string, user = "token: t"): string {
  return [
    "current-context: c",
    "clusters:",
    `- {name: k, cluster: {server: "${server}"}}`,
    "users:",
    `- {name: u, user: {${user}}}`,
    "contexts:",
    "- {name: c, context: {cluster: k, user: u}}",
    "",
  ].join("\n");
}

/** Lists the nodes with this text as kubeconfig. */
async function nodesWith({ cli, tempDir }: ProvocationContext, content: string): Promise<Provoked> {
  const file = join(tempDir, "kubeconfig");
  await writeFile(file, content);
  return fromCli(await cli(["nodes"], { env: { KUBECONFIG: file } }));
}

/** Lists the nodes of a server that answers everything in this way. */
function answering(code: ErrorCode, status: number, how: string, body: string): Provocation {
  return {
    code,
    how,
    provoke: async (context) => {
      const server = createServer((_, response) => response.writeHead(status).end(body));
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      try {
        const { port } = server.address() as AddressInfo;
        return await nodesWith(context, kubeconfig(`http://127.0.0.1:${port}`));
      } finally {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

function status(reason: string, message: string): string {
  return JSON.stringify({ kind: "Status", status: "Failure", reason, message });
}

export const provocations: readonly Provocation[] = [
  {
    code: "E_KUBECONFIG_MISSING",
    how: "nothing is configured",
    provoke: async ({ cli }) => fromCli(await cli(["nodes"])),
  },
  {
    code: "E_KUBECONFIG_MISSING",
    how: "a file that does not exist",
    provoke: async ({ cli, tempDir }) =>
      fromCli(await cli(["nodes", "--kubeconfig", join(tempDir, "none")])),
  },
  {
    code: "E_KUBECONFIG_INVALID",
    how: "a kubeconfig that is not YAML",
    provoke: (context) => nodesWith(context, "users: [\n"),
  },
  {
    code: "E_KUBECONFIG_INVALID",
    how: "a certificate that is not base64",
    provoke: (context) => nodesWith(context, kubeconfig("https://x", 'client-key-data: "?"')),
  },
  {
    code: "E_KUBECONFIG_INVALID",
    how: "a context that does not exist",
    provoke: async (context) => {
      const file = join(context.tempDir, "kubeconfig");
      await writeFile(file, kubeconfig("https://x"));
      const env = { KUBECONFIG: file };
      return fromCli(await context.cli(["nodes", "--context", "other"], { env }));
    },
  },
  {
    code: "E_KUBE_CREDENTIALS",
    how: "a plug-in that is not installed",
    provoke: (context) => {
      const exec =
        "exec: {apiVersion: client.authentication.k8s.io/v1, command: no-such-plug-in, interactiveMode: Never}";
      return nodesWith(context, kubeconfig("http://127.0.0.1:1", exec));
    },
  },
  {
    code: "E_KUBE_UNREACHABLE",
    how: "a server that is not there",
    provoke: (context) => nodesWith(context, kubeconfig("http://127.0.0.1:1")),
  },
  answering(
    "E_KUBE_UNAUTHORIZED",
    401,
    "a token that has expired",
    status("Unauthorized", "Unauthorized"),
  ),
  answering(
    "E_KUBE_FORBIDDEN",
    403,
    "a user without the right",
    status("Forbidden", "nodes is forbidden"),
  ),
  answering("E_KUBE_NOT_FOUND", 404, "a server that is no API server", "404 page not found"),
  answering("E_KUBE_CONFLICT", 409, "somebody else's change", status("Conflict", "was modified")),
  answering(
    "E_KUBE_REJECTED",
    400,
    "a request the server does not understand",
    status("BadRequest", "no"),
  ),
  answering("E_KUBE_FAILED", 200, "an address that serves web pages", "<html></html>"),
];
