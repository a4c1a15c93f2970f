import {
  type CudaCodes,
  type GpudReaction,
  wordsFor,
  type XidEntry,
} from "../../hardware/xid/index.ts";
import { tableOf } from "../text-table.ts";

const cudaNames: Readonly<Record<number, string>> = {
  100: "cudaErrorNoDevice",
  214: "cudaErrorECCUncorrectable",
  220: "cudaErrorNvlinkUncorrectable",
  226: "cudaErrorContained",
  700: "cudaErrorIllegalAddress",
  702: "cudaErrorLaunchTimeout",
  719: "cudaErrorLaunchFailure",
  802: "cudaErrorSystemNotReady",
  999: "cudaErrorUnknown",
};

/** One line an XID that is in use. */
export function showCatalogue(entries: readonly XidEntry[]): readonly string[] {
  const used = entries.filter(({ name }) => name !== "Not used");
  return [
    ...tableOf([
      ["XID", "SEVERITY", "NVSENTINEL", "GPUD", "DCGM", "CUDA", "NAME"],
      ...used.map(({ xid, severity, nvsentinel, gpud, dcgm, cuda, name }) => [
        String(xid),
        severity,
        nvsentinel.action,
        gpud?.eventType ?? "-",
        dcgm ?? "-",
        cuda === null ? "-" : String(cuda.inFlight),
        name,
      ]),
    ]),
    "",
    `${entries.length - used.length} numbers are not used; NVSentinel still cordons for most of them.`,
    "`tessera xid explain NUMBER` says what each means.",
  ];
}

/** All there is to know about one. */
export function showXid(entry: XidEntry, disagree: string | null): readonly string[] {
  const { xid, name, severity, immediateAction, investigatoryAction, cuda, gpud, dcgm } = entry;
  return [
    `XID ${xid}: ${name} (${severity})`,
    ...tableOf([
      ["  at once", actionWords(immediateAction)],
      ["  then", actionWords(investigatoryAction)],
      ["  CUDA", cuda === null ? "calls do not notice" : cudaWords(cuda)],
      ["  NVSentinel", nvSentinelWords(entry)],
      ["  gpud", gpud === null ? "does not know it and says nothing" : gpudWords(gpud)],
      ["  DCGM", dcgm === null ? "does not watch it" : `health check: ${dcgm}`],
      ["  they", disagree === null ? "NVSentinel and gpud agree" : `disagree: ${disagree}`],
    ]),
  ];
}

/** A number that is in no catalogue. */
export function showUnknown(xid: number): readonly string[] {
  return [
    `XID ${xid} is in no catalogue.`,
    ...tableOf([
      ["  NVSentinel", "fatal, CONTACT_SUPPORT: the node is cordoned all the same"],
      ["  gpud", "does not know it and says nothing"],
      ["  DCGM", "does not watch it"],
    ]),
  ];
}

/** A number of an NVSwitch's error. */
export function showSxid(sxid: number, gpud: GpudReaction): readonly string[] {
  return [
    `${sxid} is an SXid, an error of an NVSwitch.`,
    ...tableOf([
      ["  NVSentinel", "believes the word in the line: Fatal cordons the node, Non-fatal does not"],
      ["  gpud", gpudWords(gpud)],
    ]),
  ];
}

function actionWords(action: string | null): string {
  return action === null ? wordsFor(null) : `${wordsFor(action)} (${action})`;
}

function cudaWords({ inFlight, onInit, sticky }: CudaCodes): string {
  const atStart = onInit === 0 ? "a new process starts well" : `${named(onInit)} at its start`;
  const stays = sticky ? "the process must end" : "it does not stay";
  return `${named(inFlight)} at work, ${atStart}; ${stays}`;
}

function named(code: number): string {
  return `${code} ${cudaNames[code] ?? "an error"}`;
}

function nvSentinelWords({ xid, nvsentinel, realReboot }: XidEntry): string {
  if (xid === 154) return "what the last brackets of the line say; anything unknown is fatal";
  const { action, isFatal } = nvsentinel;
  if (xid >= 144 && xid <= 150) {
    return `by the registers in the line a reset, which is fatal, or nothing; without them ${action}, fatal`;
  }
  if (!isFatal) return "not fatal: an event, no cordon";
  const then = realReboot ? "; with remediation on it really resets or restarts something" : "";
  return `fatal, ${action}: the node is cordoned${then}`;
}

function gpudWords({ eventType, actions }: GpudReaction): string {
  return actions.length === 0 ? eventType : `${eventType}, advises ${actions.join(", ")}`;
}
