import { exitCodes } from "../exit-codes.ts";
import type { ErrorRow } from "./error-row.ts";

/** Hardware faults on live deployments. */
export const hardwareRows = {
  E_HW_REFUSED: {
    message: "{what} was refused: {problem}.",
    hint: "Nothing was changed. `tessera hw plan` shows what would happen and which rule says no.",
    exitCode: exitCodes.failed,
    httpStatus: 409,
  },
  E_HW_UNSUPPORTED: {
    message: "{what} is not possible: {problem}.",
    hint: "Nothing was changed. docs/hardware.md lists the faults that there are.",
    exitCode: exitCodes.usage,
    httpStatus: 501,
  },
  E_HW_FAILED: {
    message: "{what} failed: {problem}.",
    hint: "What was changed is taken back. `tessera hw list` shows what is still in force.",
    exitCode: exitCodes.undecided,
    httpStatus: 500,
  },
  E_HW_API_UNREACHABLE: {
    message: "The fault API cannot be reached at {where}: {problem}.",
    hint: "Nothing is known about faults in force. Check that `tessera fault-api` runs, and that you may forward its port.",
    exitCode: exitCodes.undecided,
    httpStatus: 503,
  },
  E_HW_NOT_CONFIGURED: {
    message: "This control plane knows no fault API.",
    hint: "Nothing was done. Install `tessera fault-api` (docs/hardware.md) and let hardware.faultApiUrl name it.",
    exitCode: exitCodes.usage,
    httpStatus: 409,
  },
  E_HW_FORBIDDEN: {
    message: "{user} may not {verb} hardware faults in namespace {namespace}.",
    hint: "Nothing was changed. A role with that verb on hardwarefaults.tessera.dev gives the right; the attempt is in the audit log.",
    exitCode: exitCodes.failed,
    httpStatus: 403,
  },
  E_HW_FAULT_UNKNOWN: {
    message: "There is no hardware fault {id}.",
    hint: "`tessera hw list` shows those there are; faults are kept for a day after they were taken back.",
    exitCode: exitCodes.usage,
    httpStatus: 404,
  },
  E_HW_WORKLOAD: {
    message: "The workload {workload} cannot be tested: {problem}.",
    hint: "Nothing was changed. docs/hardware.md says what kinds there are and what each needs.",
    exitCode: exitCodes.usage,
    httpStatus: 409,
  },
  E_HW_TIMEOUT: {
    message: "{what} did not happen within {seconds} s: {seen}.",
    hint: "Leaving the test takes everything back. `tessera hw plan` says what each detector should have done.",
    exitCode: exitCodes.failed,
    httpStatus: 504,
  },
  E_HW_DISABLED: {
    message: "Hardware faults are not enabled for {what}.",
    hint: "They break what they are aimed at. Say so with `enableHwFaults: true` or `--enable-hw-faults`.",
    exitCode: exitCodes.usage,
    httpStatus: 409,
  },
  E_XID_UNKNOWN: {
    message: "{xid} is no XID that can be injected: {problem}.",
    hint: "`tessera xid explain` lists the catalogue.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_HW_CONTROL: {
    message: "The control block {path} cannot be used: {problem}.",
    hint: "No CUDA call was changed. The folder must be writable for the agent and readable for pods.",
    exitCode: exitCodes.undecided,
    httpStatus: 500,
  },
  E_HW_KERNEL_LOG: {
    message: "The kernel log {path} cannot be used: {problem}.",
    hint: "No line was written. `tessera doctor` says what this machine allows; docs/hardware.md says how the agent gets /dev/kmsg.",
    exitCode: exitCodes.undecided,
    httpStatus: 500,
  },
} as const satisfies Record<string, ErrorRow>;
