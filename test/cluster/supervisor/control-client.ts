import { createConnection, type Socket } from "node:net";
import { ClusterError } from "../errors.ts";
import { receiveLines, sendLine } from "./lifeline.ts";
import type { ControlAnswer, ControlRequest } from "./protocol.ts";

type Granted = Extract<ControlAnswer, { ok: true }>;

// An end and a start, both of which may take their time.
const answerTimeoutMs = 240_000;

/** Asks a supervisor for something. Throws when it is not there or says no. */
export async function askSupervisor(socketPath: string, request: ControlRequest): Promise<Granted> {
  const { answer, socket } = await exchange(socketPath, request);
  socket.destroy();
  return answer;
}

/** Binds a cluster's life to this process: it ends when this process does. */
export async function adoptCluster(socketPath: string): Promise<void> {
  const { socket } = await exchange(socketPath, { op: "adopt" });
  socket.setTimeout(0);
  socket.unref();
}

function exchange(
  socketPath: string,
  request: ControlRequest,
): Promise<{ answer: Granted; socket: Socket }> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(socketPath);
    const fail = (what: string, cause?: unknown) => {
      socket.destroy();
      reject(new ClusterError(what, { cause }));
    };
    socket.setTimeout(answerTimeoutMs, () => fail(`no answer from ${socketPath}`));
    socket.on("error", (cause) => fail(`could not reach the cluster: ${cause.message}`, cause));
    receiveLines(socket, {
      onMessage: (message) => {
        const answer = message as ControlAnswer;
        if (answer.ok) resolve({ answer, socket });
        else fail(answer.error);
      },
      onEnd: () => fail("the cluster ended before it answered"),
    });
    sendLine(socket, request);
  });
}
