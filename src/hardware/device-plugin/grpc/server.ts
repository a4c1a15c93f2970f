import {
  constants,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import { messageOf } from "../../../platform/errors/index.ts";
import { FrameReader, frameOf, grpcContentType, grpcStatus } from "./frames.ts";

/** One request, one answer. */
export type UnaryMethod = (request: Uint8Array) => Uint8Array;

/** One request, answers until the caller leaves. @returns what ends it */
export type StreamMethod = (request: Uint8Array, send: (message: Uint8Array) => void) => () => void;

export interface GrpcServerOptions {
  /** The Unix socket; it must not exist. */
  readonly socketPath: string;
  /** By path: `/v1beta1.DevicePlugin/Allocate`. */
  readonly unary: Readonly<Record<string, UnaryMethod>>;
  readonly streams?: Readonly<Record<string, StreamMethod>>;
}

export interface GrpcServer {
  /** Ends every call and removes the socket. */
  close(): Promise<void>;
}

/** Only the kubelet calls, and it has a handful of calls open. */
const callsMax = 32;

/** A gRPC server on a Unix socket, without encryption: the rights of the folder guard it. */
export async function startGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer({ settings: { maxConcurrentStreams: callsMax } });
  server.on("session", (session) => {
    sessions.add(session);
    session.on("close", () => sessions.delete(session));
    session.on("error", () => session.destroy());
  });
  server.on("stream", (stream, headers) => answer(options, stream, headers));
  await new Promise<void>((resolve, reject) => {
    // Stays on: an error that comes later must not end the process.
    server.on("error", reject);
    server.listen(options.socketPath, resolve);
  });
  return {
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const session of sessions) session.destroy();
      await closed;
    },
  };
}

function answer(
  { unary, streams = {} }: GrpcServerOptions,
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
): void {
  const path = headers[":path"] ?? "";
  stream.on("error", () => stream.destroy());
  if (!(headers["content-type"] ?? "").startsWith(grpcContentType)) {
    stream.respond(
      { ":status": constants.HTTP_STATUS_UNSUPPORTED_MEDIA_TYPE },
      { endStream: true },
    );
    return;
  }
  const one = Object.hasOwn(unary, path) ? unary[path] : undefined;
  const many = Object.hasOwn(streams, path) ? streams[path] : undefined;
  if (one === undefined && many === undefined) {
    refuse(stream, grpcStatus.unimplemented, `there is no method ${path}`);
    return;
  }
  const reader = new FrameReader();
  let isAnswered = false;
  stream.on("data", (bytes: Uint8Array) => {
    if (isAnswered) return;
    try {
      const [request] = reader.push(bytes);
      if (request === undefined) return;
      isAnswered = true;
      if (one !== undefined) finish(stream, one(request));
      else if (many !== undefined) follow(stream, many, request);
    } catch (error) {
      isAnswered = true;
      refuse(stream, grpcStatus.invalidArgument, messageOf(error));
    }
  });
  stream.on("end", () => {
    if (!isAnswered) refuse(stream, grpcStatus.invalidArgument, "there is no request");
  });
}

function finish(stream: ServerHttp2Stream, message: Uint8Array): void {
  begin(stream);
  stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": grpcStatus.ok }));
  stream.end(frameOf(message));
}

function follow(stream: ServerHttp2Stream, method: StreamMethod, request: Uint8Array): void {
  begin(stream);
  stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": grpcStatus.ok }));
  const stop = method(request, (message) => {
    if (stream.writable) stream.write(frameOf(message));
  });
  stream.on("close", stop);
}

function begin(stream: ServerHttp2Stream): void {
  stream.respond(
    { ":status": constants.HTTP_STATUS_OK, "content-type": grpcContentType },
    { waitForTrailers: true },
  );
}

/** An answer without a message: its status is in the headers. */
function refuse(stream: ServerHttp2Stream, status: number, problem: string): void {
  if (stream.destroyed || stream.headersSent) return;
  stream.respond(
    {
      ":status": constants.HTTP_STATUS_OK,
      "content-type": grpcContentType,
      "grpc-status": status,
      "grpc-message": encodeURIComponent(problem),
    },
    { endStream: true },
  );
}
