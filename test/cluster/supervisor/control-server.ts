import { createServer, type Socket } from "node:net";
import { receiveLines, sendLine } from "./lifeline.ts";
import type { ControlAnswer, ControlRequest } from "./protocol.ts";

type Answer = (request: Exclude<ControlRequest, { op: "adopt" }>) => Promise<ControlAnswer>;

/** Takes requests on a unix socket, one per connection, until the process ends. */
export function serveControl(
  path: string,
  handlers: {
    readonly answer: Answer;
    /** A process that had adopted the cluster is gone. */
    readonly onOrphaned: () => void;
  },
): Promise<void> {
  const server = createServer((socket) => {
    receiveLines(socket, {
      onMessage: (request) => void serveOne(socket, request as ControlRequest, handlers.answer),
      onEnd: () => {},
    });
    socket.on("close", () => {
      if (adopters.has(socket)) handlers.onOrphaned();
    });
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, () => resolve());
  });
}

const adopters = new WeakSet<Socket>();

async function serveOne(socket: Socket, request: ControlRequest, answer: Answer): Promise<void> {
  if (request.op === "adopt") {
    adopters.add(socket);
    sendLine(socket, { ok: true } satisfies ControlAnswer);
    return;
  }
  let reply: ControlAnswer;
  try {
    reply = await answer(request);
  } catch (problem) {
    reply = { ok: false, error: problem instanceof Error ? problem.message : String(problem) };
  }
  sendLine(socket, reply);
  socket.end();
}
