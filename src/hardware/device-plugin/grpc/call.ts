import { type ClientHttp2Session, connect } from "node:http2";
import { createConnection } from "node:net";
import { type Clock, withDeadline } from "../../../platform/time/index.ts";
import { FrameReader, frameOf, grpcContentType, grpcStatus } from "./frames.ts";

export interface GrpcCall {
  readonly socketPath: string;
  /** `/v1beta1.Registration/Register`. */
  readonly method: string;
  readonly request: Uint8Array;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/**
 * Calls a method of a gRPC server on a Unix socket.
 *
 * @throws Error when it cannot be reached or says no, E_TIMEOUT when it does not answer
 */
export function callGrpc(call: GrpcCall): Promise<Uint8Array> {
  const { clock, timeoutMs, method, socketPath, signal } = call;
  const what = `The call ${method} on ${socketPath}`;
  const limits = { clock, timeoutMs, what, ...(signal === undefined ? {} : { signal }) };
  return withDeadline(limits, async (inner) => {
    const session = connect("http://localhost", {
      createConnection: () => createConnection(socketPath),
    });
    const end = () => session.destroy();
    inner.addEventListener("abort", end, { once: true });
    try {
      return await exchange(session, call);
    } finally {
      inner.removeEventListener("abort", end);
      session.destroy();
    }
  });
}

function exchange(session: ClientHttp2Session, call: GrpcCall): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const reader = new FrameReader();
    let answer: Uint8Array | undefined;
    let status: unknown;
    let problem = "";
    session.on("error", reject);
    session.on("close", () => reject(new Error("the connection was closed")));
    const stream = session.request({
      ":method": "POST",
      ":path": call.method,
      "content-type": grpcContentType,
      te: "trailers",
    });
    const readStatus = (headers: Readonly<Record<string, unknown>>) => {
      status = headers["grpc-status"] ?? status;
      const text = headers["grpc-message"];
      if (typeof text === "string") problem = text;
    };
    stream.on("response", readStatus);
    stream.on("trailers", readStatus);
    stream.on("data", (bytes: Uint8Array) => {
      try {
        answer ??= reader.push(bytes)[0];
      } catch (error) {
        reject(error);
      }
    });
    stream.on("error", reject);
    stream.on("end", () => {
      if (String(status) === String(grpcStatus.ok)) resolve(answer ?? new Uint8Array());
      else reject(new Error(`status ${String(status)}${problem === "" ? "" : `: ${problem}`}`));
    });
    stream.end(frameOf(call.request));
  });
}
