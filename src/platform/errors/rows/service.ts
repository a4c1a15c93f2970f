import { exitCodes } from "../exit-codes.ts";
import type { ErrorRow } from "./error-row.ts";

/** The HTTP service and the control plane. */
export const serviceRows = {
  // HTTP server and `tessera up`.
  E_REQUEST_INVALID: {
    message: "The {part} of the request is not valid: {problem}",
    hint: "`GET /api/v1/openapi.json` describes what {route} takes.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_BODY_TYPE: {
    message: "The body of the request is {given}, and {route} takes application/json.",
    hint: "Send JSON with the header `Content-Type: application/json`.",
    exitCode: exitCodes.usage,
    httpStatus: 415,
  },
  E_BODY_TOO_LARGE: {
    message: "The body of the request is larger than {limit}.",
    hint: "Send less at once, or raise server.bodyLimit in the configuration.",
    exitCode: exitCodes.usage,
    httpStatus: 413,
  },
  E_ROUTE_UNKNOWN: {
    message: "There is nothing at {path}.",
    hint: "{suggestion}",
    exitCode: exitCodes.usage,
    httpStatus: 404,
  },
  E_METHOD_NOT_ALLOWED: {
    message: "{path} does not take {method}.",
    hint: "It takes {allowed}.",
    exitCode: exitCodes.usage,
    httpStatus: 405,
  },
  E_HOST_REFUSED: {
    message: "This server does not answer to the host name {host}.",
    hint: "Use {allowed}, or name the address with --host when starting `tessera up`.",
    exitCode: exitCodes.usage,
    httpStatus: 421,
  },
  E_ORIGIN_REFUSED: {
    message: "A page from {origin} may not make this request.",
    hint: "Make it from Tessera's own page, or from a program, which sends no Origin header.",
    exitCode: exitCodes.usage,
    httpStatus: 403,
  },
  E_TOKEN_REQUIRED: {
    message: "{route} needs a token.",
    hint: "Send `Authorization: Bearer TOKEN` with a token of role {role} or above; `tessera up` prints where it keeps the first one.",
    exitCode: exitCodes.usage,
    httpStatus: 401,
  },
  E_TOKEN_REFUSED: {
    message: "The token is not accepted: it is {problem}.",
    hint: "Ask an administrator for a new one (`tessera token create`, or `POST /api/v1/tokens`).",
    exitCode: exitCodes.usage,
    httpStatus: 401,
  },
  E_ROLE_INSUFFICIENT: {
    message: "{route} needs the role {needed}, and token {token} has {held}.",
    hint: "Use a token of role {needed} or above.",
    exitCode: exitCodes.usage,
    httpStatus: 403,
  },
  E_RATE_LIMITED: {
    message: "Too many {what} from this caller: {perSecond} a second are allowed in the long run.",
    hint: "Try again in {waitS} s. Programs: wait as long as Retry-After says, or follow GET /api/v1/events instead of asking again and again. Administrators: raise server.rateLimit.",
    exitCode: exitCodes.undecided,
    httpStatus: 429,
  },
  E_BUSY: {
    message: "Too many {what} are asked for at once: {running} are being made and {waiting} wait.",
    hint: "Try again in {waitS} s; one that somebody has just asked for is answered at once.",
    exitCode: exitCodes.undecided,
    httpStatus: 503,
  },
  E_NOT_FOUND: {
    message: "There is no {kind} {id}.",
    hint: "`GET {list}` lists those there are.",
    exitCode: exitCodes.usage,
    httpStatus: 404,
  },
  E_STOPPING: {
    message: "This server is being stopped and takes no more changes.",
    hint: "Try again in {waitS} s, when another one has taken its place; reads are answered until it has ended.",
    exitCode: exitCodes.undecided,
    httpStatus: 503,
  },
  E_EVENT_STREAMS_FULL: {
    message: "All {limit} event streams of {of} are taken.",
    hint: "Close a page or a program that listens, then try again.",
    exitCode: exitCodes.undecided,
    httpStatus: 503,
  },
  E_NOTIFY_FAILED: {
    message: "The notification target {target} could not be told: {problem}.",
    hint: "Check its address and whether this machine reaches it; docs/notifications.md says what it must answer.",
    exitCode: exitCodes.undecided,
    httpStatus: 502,
  },
  E_PORT_IN_USE: {
    message: "Port {port} on {host} is in use by another program.",
    hint: "Choose another with --port (0 takes a free one), or stop the other program.",
    exitCode: exitCodes.usage,
    httpStatus: 503,
  },
  E_LISTEN_FAILED: {
    message: "Tessera cannot listen on {host} port {port}: {problem}",
    hint: "Choose an address of this machine with --host and a port it may use with --port.",
    exitCode: exitCodes.usage,
    httpStatus: 503,
  },
  E_TOKEN_NOT_CONFIGURED: {
    message: "{host} can be reached from other machines, and no token has been configured.",
    hint: "Set TESSERA_TOKEN or server.tokenFile, or start once on 127.0.0.1, which makes an administrator's token.",
    exitCode: exitCodes.usage,
    httpStatus: 503,
  },
  E_TOKEN_SOURCE: {
    message: "The token from {source} cannot be used: {problem}",
    hint: "Give a token of at least {charactersMin} characters without spaces, for example from `openssl rand -hex 32`.",
    exitCode: exitCodes.usage,
    httpStatus: 503,
  },
  E_DATA_DIR_IN_USE: {
    message:
      "The data folder {dataDir} is in use by another `tessera up`: process {pid}, started {startedAt}.",
    hint: "Stop that process, or choose another folder with --data-dir.",
    exitCode: exitCodes.usage,
    httpStatus: 503,
  },
} as const satisfies Record<string, ErrorRow>;
