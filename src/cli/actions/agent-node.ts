import { resolve } from "node:path";
import {
  type AgentOptions,
  createAgentPorts,
  type DetectorMode,
  runAgent,
} from "../../hardware/agent/index.ts";
import { shimPaths } from "../../hardware/objects/index.ts";
import { exitCodes } from "../../platform/errors/index.ts";
import type { Action, Invocation } from "../invocation.ts";
import { openKube } from "../open-kube.ts";
import { writeLine } from "../output.ts";
import { usageError } from "../usage-error.ts";

const namespaceDefault = "tessera-hardware";

/** `tessera agent`: works until it is told to stop, which is how it is meant to end. */
export const run: Action = async (invocation) => {
  const { clock, globals, io, signal } = invocation;
  const given = readOptions(invocation);
  const log = await invocation.log();
  const { client, random } = await openKube(invocation);
  try {
    await runAgent({
      ...given,
      client,
      clock,
      random,
      log,
      signal,
      ports: createAgentPorts({ ...given, client, clock, log }),
      onReady: ({ healthUrl }) => {
        const event = { event: "ready", node: given.node, ...(healthUrl && { healthUrl }) };
        const where = healthUrl === undefined ? "" : `, health at ${healthUrl}`;
        const sentence = `the agent of ${given.node} is ready${where}`;
        writeLine(io.stdout, globals.json === true ? JSON.stringify(event) : sentence);
      },
    });
  } finally {
    client.close();
  }
  return exitCodes.good;
};

/** What the command line says, checked. */
function readOptions(invocation: Invocation) {
  const { io, options } = invocation;
  const text = (name: string) => {
    const value = options[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const path = (name: string) => {
    const value = text(name);
    return value === undefined ? undefined : resolve(io.cwd, value);
  };
  const node = text("node") ?? io.env["TESSERA_NODE"] ?? "";
  if (!/^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/.test(node)) {
    throw usageError("agent", node === "" ? "--node is missing." : `--node ${node} is no name.`);
  }
  const kernelLog = path("kernelLog");
  const detector = (text("detector") ?? "off") as DetectorMode;
  if (detector !== "off" && kernelLog === undefined) {
    throw usageError("agent", "--detector needs --kernel-log.");
  }
  const procFolder = path("procFolder");
  const healthPort = portOf(text("healthPort"));
  return {
    node,
    namespace: text("namespace") ?? namespaceDefault,
    controlFolder: path("controlFolder") ?? shimPaths.hostFolder,
    detector,
    allowKernelLogDevice: options["allowKernelLogDevice"] === true,
    ...(kernelLog === undefined ? {} : { kernelLog }),
    ...(procFolder === undefined ? {} : { procFolder }),
    ...(healthPort === undefined ? {} : { healthPort }),
  } satisfies Partial<AgentOptions>;
}

/** Undefined: no health is served. */
function portOf(text: string | undefined): number | undefined {
  if (text === undefined || text === "0") return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port >= 1 && port <= 65_535) return port;
  throw usageError("agent", `--health-port ${text} is no port.`);
}
