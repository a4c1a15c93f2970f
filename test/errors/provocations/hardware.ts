import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type ErrorCode, errorTable } from "../../../src/platform/errors/index.ts";
import { fromCli, fromResponse, type Provocation } from "../provocation.ts";

const token = { TESSERA_FAULT_API_TOKEN: "t" };

/** A command whose fault API answers everything with this problem. */
function answered(
  code: ErrorCode,
  how: string,
  detail: string,
  command: readonly string[],
): Provocation {
  return {
    code,
    how,
    provoke: async ({ cli }) => {
      const { httpStatus: status } = errorTable[code];
      const body = JSON.stringify({ code, detail, status, title: code });
      const server = createServer((_, response) =>
        response.writeHead(status, { "content-type": "application/problem+json" }).end(body),
      );
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      try {
        const { port } = server.address() as AddressInfo;
        const url = `http://127.0.0.1:${port}`;
        return fromCli(await cli(["hw", ...command, "--api-url", url], { env: token }));
      } finally {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

const xid = ["--namespace", "shop", "--node", "gpu-1", "--xid", "79", "--enable-hw-faults"];

export const provocations: readonly Provocation[] = [
  answered(
    "E_HW_REFUSED",
    "tessera hw inject for a node that did not opt in",
    "XID 79 on node gpu-1 was refused: it does not have the label.",
    ["inject", "xid", ...xid],
  ),
  answered(
    "E_HW_UNSUPPORTED",
    "tessera hw inject of what the fault API cannot make",
    "Throttling a GPU is not possible: nothing here can.",
    ["inject", "xid", ...xid],
  ),
  answered(
    "E_HW_FAILED",
    "tessera hw inject on a node whose agent has no kernel log",
    "The fault xid-1 failed: there is no kernel log.",
    ["inject", "xid", ...xid],
  ),
  answered(
    "E_HW_FORBIDDEN",
    "tessera hw list with a token that may not read",
    "user:eve may not read hardware faults in namespace shop.",
    ["list", "--namespace", "shop"],
  ),
  answered(
    "E_HW_FAULT_UNKNOWN",
    "tessera hw revert of a fault that there is not",
    "There is no hardware fault xid-1.",
    ["revert", "xid-1"],
  ),
  answered(
    "E_HW_TIMEOUT",
    "tessera hw revert of a fault that does not end",
    "Taking back the fault xid-1 did not happen within 60 s: it is reverting.",
    ["revert", "xid-1"],
  ),
  answered(
    "E_HW_WORKLOAD",
    "tessera hw plan for a workload that there is not",
    "The workload deployment shop/server cannot be tested: there is none.",
    ["plan", ...xid.slice(0, -1)],
  ),
  {
    code: "E_HW_API_UNREACHABLE",
    how: "tessera hw list where nobody listens",
    provoke: async ({ cli }) =>
      fromCli(await cli(["hw", "list", "--api-url", "http://127.0.0.1:9"], { env: token })),
  },
  {
    code: "E_HW_DISABLED",
    how: "tessera hw inject without --enable-hw-faults",
    provoke: async ({ cli }) => fromCli(await cli(["hw", "inject", "xid", ...xid.slice(0, -1)])),
  },
  {
    code: "E_XID_UNKNOWN",
    how: "tessera hw shim arm with an XID that CUDA calls do not notice",
    provoke: async ({ cli, tempDir }) => {
      const control = join(tempDir, "control");
      return fromCli(await cli(["hw", "shim", "arm", "--control", control, "--xid", "63"]));
    },
  },
  {
    code: "E_HW_CONTROL",
    how: "tessera hw shim status of a file that is no control block",
    provoke: async ({ cli, tempDir }) => {
      const control = join(tempDir, "control");
      await writeFile(control, "something else");
      return fromCli(await cli(["hw", "shim", "status", "--control", control]));
    },
  },
  {
    code: "E_HW_KERNEL_LOG",
    how: "tessera agent with a device that is not the kernel's log",
    provoke: async ({ cli, tempDir }) => {
      const file = join(tempDir, "kubeconfig");
      const server = 'clusters: [{name: k, cluster: {server: "http://127.0.0.1:9"}}]';
      const user = "users: [{name: u, user: {token: t}}]";
      const context = "contexts: [{name: c, context: {cluster: k, user: u}}]";
      await writeFile(file, `current-context: c\n${server}\n${user}\n${context}\n`);
      const folder = join(tempDir, "shim");
      const args = [
        "agent",
        "--node",
        "n",
        "--control-folder",
        folder,
        "--kernel-log",
        "/dev/null",
      ];
      return fromCli(await cli(args, { env: { KUBECONFIG: file } }));
    },
  },
  {
    code: "E_HW_NOT_CONFIGURED",
    how: "taking a fault back through a control plane that knows no fault API",
    provoke: async ({ startUp }) => {
      const { url, token } = await startUp();
      const headers = { authorization: `Bearer ${token}` };
      return fromResponse(
        await fetch(`${url}/api/v1/faults/xid-1/revert`, { method: "POST", headers }),
      );
    },
  },
];
