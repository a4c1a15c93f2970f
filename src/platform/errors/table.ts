import { exitCodes } from "./exit-codes.ts";

/** One row of the error table: everything a person or a program needs to react to an error. */
export interface ErrorRow {
  /** What went wrong. `{name}` is filled from the error's details. */
  readonly message: string;
  /** What to do about it. `{name}` is filled from the error's details. */
  readonly hint: string;
  readonly exitCode: number;
  readonly httpStatus: number;
}

/**
 * Every error Tessera reports on purpose. `docs/errors.md` is generated from this table, and each
 * row has a test that provokes it through the CLI or the API.
 */
export const errorTable = {
  E_USAGE: {
    message: "{problem}",
    hint: "Run `tessera {command} --help` to see what it takes.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_CONFIG_FILE: {
    message: "The configuration file {file} cannot be read: {problem}.",
    hint: "Name another file with --config or TESSERA_CONFIG, or remove the name to use defaults.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_CONFIG_INVALID: {
    message: "The configuration is not valid: {summary}",
    hint: "Correct it where it says; docs/configuration.md and `tessera config schema` list every key.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_INTERRUPTED: {
    message: "Interrupted by {signal}.",
    hint: "Nothing was left half-done; run the command again to continue.",
    exitCode: exitCodes.interrupted,
    httpStatus: 503,
  },
  E_INTERNAL: {
    message: "Tessera failed in a way it did not expect: {problem}",
    hint: "Run again with --verbose and report the stack.",
    exitCode: exitCodes.undecided,
    httpStatus: 500,
  },
  E_TIMEOUT: {
    message: "{what} did not finish within {timeout}.",
    hint: "Look at what it waits for; if that is only slow, try again.",
    exitCode: exitCodes.undecided,
    httpStatus: 504,
  },
  E_FILE_READ: {
    message: "Cannot read {path}: {problem}.",
    hint: "Check the path and its permissions.",
    exitCode: exitCodes.usage,
    httpStatus: 500,
  },
  E_FILE_WRITE: {
    message: "Cannot write {path}: {problem}.",
    hint: "What was there before is unchanged. Choose a place that you may write to and that has room.",
    exitCode: exitCodes.undecided,
    httpStatus: 500,
  },
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
    hint: "Ask an administrator for a new one (`POST /api/v1/tokens`).",
    exitCode: exitCodes.usage,
    httpStatus: 401,
  },
  E_ROLE_INSUFFICIENT: {
    message: "{route} needs the role {needed}, and token {token} has {held}.",
    hint: "Use a token of role {needed} or above.",
    exitCode: exitCodes.usage,
    httpStatus: 403,
  },
  E_NOT_FOUND: {
    message: "There is no {kind} {id}.",
    hint: "`GET {list}` lists those there are.",
    exitCode: exitCodes.usage,
    httpStatus: 404,
  },
  E_EVENT_STREAMS_FULL: {
    message: "All {limit} event streams are taken.",
    hint: "Close a page or a program that listens, then try again.",
    exitCode: exitCodes.undecided,
    httpStatus: 503,
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
  E_KUBECONFIG_MISSING: {
    message: "No Kubernetes cluster is configured: {problem}",
    hint: "Set KUBECONFIG or `kubernetes.kubeconfig` to a kubeconfig file, or run in a pod with a service account.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_KUBECONFIG_INVALID: {
    message: "The kubeconfig {file} cannot be used: {field}: {problem}",
    hint: "Correct this field, or choose another context with `kubernetes.context`; `kubectl config view` shows what kubectl reads.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_KUBE_CREDENTIALS: {
    message: "There are no credentials for Kubernetes: {problem}",
    hint: "Make sure that the plug-in or file which the kubeconfig names works for the user that runs Tessera.",
    exitCode: exitCodes.undecided,
    httpStatus: 502,
  },
  E_KUBE_UNREACHABLE: {
    message: "The Kubernetes API at {server} cannot be reached: {problem}",
    hint: "Check that it runs, and the address, certificate authority and proxy in {source}.",
    exitCode: exitCodes.undecided,
    httpStatus: 502,
  },
  E_KUBE_UNAUTHORIZED: {
    message:
      "The Kubernetes API at {server} does not accept the credentials of context {context} ({credentials}).",
    hint: "Log in again, or renew the credentials in {source}.",
    exitCode: exitCodes.undecided,
    httpStatus: 502,
  },
  E_KUBE_FORBIDDEN: {
    message: "The Kubernetes API does not allow {request}: {problem}",
    hint: "Ask for a role that allows it; `tessera doctor` lists the rights that Tessera uses.",
    exitCode: exitCodes.undecided,
    httpStatus: 502,
  },
  E_KUBE_NOT_FOUND: {
    message: "The Kubernetes API has nothing at {request}: {problem}",
    hint: "Check name and namespace, and that the cluster has this kind of object.",
    exitCode: exitCodes.undecided,
    httpStatus: 502,
  },
  E_KUBE_CONFLICT: {
    message: "Somebody else's change is in the way of {request}: {problem}",
    hint: "Look at what changed it, then try again.",
    exitCode: exitCodes.undecided,
    httpStatus: 502,
  },
  E_KUBE_REJECTED: {
    message: "The Kubernetes API rejects {request}: {problem}",
    hint: "The cluster's version, its admission rules or its policies do not allow this object; its message says which.",
    exitCode: exitCodes.undecided,
    httpStatus: 502,
  },
  E_KUBE_FAILED: {
    message: "The Kubernetes API at {server} failed {request}: {problem}",
    hint: "Look at the health of the control plane (`kubectl get --raw /readyz?verbose`), then try again.",
    exitCode: exitCodes.undecided,
    httpStatus: 502,
  },
  E_STORE_URL: {
    message: "The store URL {url} cannot be used: {problem}.",
    hint: "Use sqlite:PATH for a file on a local disk, or postgres://USER@HOST/DATABASE for PostgreSQL.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_STORE_DRIVER: {
    message: "The store {store} needs the package {package}, which cannot be loaded here.",
    hint: "Run `npm install {package}` where Tessera is installed, or choose another store with TESSERA_STORE_URL.",
    exitCode: exitCodes.undecided,
    httpStatus: 503,
  },
  E_STORE_UNUSABLE: {
    message: "The store {store} cannot be used: {problem}.",
    hint: "Nothing was lost. Run `tessera doctor` to see what the store needs.",
    exitCode: exitCodes.undecided,
    httpStatus: 503,
  },
  E_STORE_BUSY: {
    message: "The store {store} is busy: {problem}.",
    hint: "Nothing of this write was kept. Look for another process that uses the store, then try again.",
    exitCode: exitCodes.undecided,
    httpStatus: 503,
  },
  E_STORE_CORRUPT: {
    message: "The store {store} is damaged, or is not a database: {problem}.",
    hint: "Nothing was changed. Keep a copy of the file, then restore a backup or let TESSERA_STORE_URL name a new one.",
    exitCode: exitCodes.undecided,
    httpStatus: 500,
  },
  E_STORE_NEWER: {
    message:
      "The store {store} was used by a newer Tessera: its schema is version {found}, this Tessera knows up to {known}.",
    hint: "Nothing was changed. Update Tessera, or let TESSERA_STORE_URL name another store.",
    exitCode: exitCodes.undecided,
    httpStatus: 503,
  },
  E_STORE_HISTORY: {
    message: "The schema of the store {store} has another history than this Tessera's: {problem}.",
    hint: "Nothing was changed. Use the Tessera that made the store, or restore a backup.",
    exitCode: exitCodes.undecided,
    httpStatus: 503,
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorTable;
