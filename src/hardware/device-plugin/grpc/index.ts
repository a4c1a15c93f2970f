export { callGrpc, type GrpcCall } from "./call.ts";
export { DecodedMessage, encodeMessage, type ProtoValue } from "./protobuf.ts";
export {
  type GrpcServer,
  type GrpcServerOptions,
  type StreamMethod,
  startGrpcServer,
  type UnaryMethod,
} from "./server.ts";
