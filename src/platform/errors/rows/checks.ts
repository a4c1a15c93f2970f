import { exitCodes } from "../exit-codes.ts";
import type { ErrorRow } from "./error-row.ts";

/** Checks, and the results they hand in. */
export const checksRows = {
  E_CHECK_UNKNOWN: {
    message: "There is no check {check}{suggestion}.",
    hint: "`tessera check list` names those there are. A program of your own is a check once its options name it as `command`.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_PLUGIN_INVALID: {
    message: "{path} does not describe a check: {problem}.",
    hint: "docs/checks.md shows a manifest with every key. `validation.plugins` lists where manifests are.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_CHECK_OPTIONS: {
    message: "The options of check {check} are not valid: {problem}.",
    hint: "docs/checks.md lists the options of every check.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_CHECK_UNAVAILABLE: {
    message: "Check {check} cannot run on this machine: {reason}.",
    hint: "`tessera check list` says what can run here.",
    exitCode: exitCodes.undecided,
    httpStatus: 503,
  },
  E_CHECK_FAILED: {
    message: "Check {check} broke off: {problem}.",
    hint: "That says nothing about the node. Run it again with --verbose to see its log.",
    exitCode: exitCodes.undecided,
    httpStatus: 500,
  },
  E_RUN_ENVIRONMENT: {
    message: "This process was started as the job of a run, but {problem}.",
    hint: "The loop sets the variables TESSERA_RUN_ID and its neighbours; unset them all to run a check by hand.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_HAND_IN_FAILED: {
    message: "The result of run {run} was accepted nowhere: {problem}.",
    hint: "The run will end as `error`. Check that the job reaches the control plane, or that the log tree is mounted and has room.",
    exitCode: exitCodes.undecided,
    httpStatus: 502,
  },
  E_RUN_TOKEN_REFUSED: {
    message: "This is not the token of that run.",
    hint: "Send `Authorization: Bearer TOKEN` with the token the job was started with; every run has its own.",
    exitCode: exitCodes.usage,
    httpStatus: 401,
  },
  E_RESULT_INVALID: {
    message: "The result of run {run} is refused: {problem}.",
    hint: "docs/checks.md describes the document; `tessera check run` writes it.",
    exitCode: exitCodes.usage,
    httpStatus: 422,
  },
} as const satisfies Record<string, ErrorRow>;
