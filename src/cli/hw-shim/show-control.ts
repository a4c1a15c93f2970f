import type { ControlState } from "../../hardware/shim/index.ts";
import { formatDurationMs } from "../../platform/units/index.ts";
import type { Invocation } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";

/** Prints what a block says now. */
export async function showControl({ globals, io, clock }: Invocation, path: string): Promise<void> {
  const { readControl } = await import("../../hardware/shim/index.ts");
  const state = await readControl(path);
  const nowMs = clock.nowMs();
  if (globals.json) writeJson(io.stdout, controlDocument(path, state, nowMs));
  else writeLine(io.stdout, controlLine(path, state, nowMs));
}

function isInForce(state: ControlState | undefined, nowMs: number): boolean {
  return state?.armed === true && nowMs < state.expiresAtMs;
}

function controlDocument(path: string, state: ControlState | undefined, nowMs: number): object {
  const document = { control: path, exists: state !== undefined, inForce: isInForce(state, nowMs) };
  if (state === undefined) return document;
  const { armed, generation, armedAtMs, expiresAtMs, fault, codes } = state;
  const time = (ms: number): string | null => (ms === 0 ? null : new Date(ms).toISOString());
  return {
    ...document,
    armed,
    generation,
    armedAt: time(armedAtMs),
    expiresAt: time(expiresAtMs),
    fault: fault ?? null,
    codes: codes ?? null,
  };
}

function controlLine(path: string, state: ControlState | undefined, nowMs: number): string {
  if (state === undefined) return `${path}: there is no control block; CUDA calls go through.`;
  const { armed, expiresAtMs, fault, codes } = state;
  if (!armed || fault === undefined || codes === undefined)
    return `${path}: not armed; CUDA calls go through.`;
  const xid = `XID ${fault.xid}`;
  if (nowMs >= expiresAtMs) return `${path}: ${xid} has run out; CUDA calls go through.`;
  const left = formatDurationMs(Math.ceil((expiresAtMs - nowMs) / 1000) * 1000);
  return `${path}: ${xid} for another ${left}; ${effect(state)}.`;
}

function effect({ fault, codes }: ControlState): string {
  const where = fault?.gpus === undefined ? "every GPU" : `GPU ${fault.gpus.join(", ")}`;
  if (fault?.latencyUs !== undefined)
    return `calls on ${where} take ${formatDurationMs(fault.latencyUs / 1000)} longer`;
  const start =
    codes?.onInit === 0
      ? "new processes start"
      : `new processes get ${codes?.onInit} at their start`;
  const kept = codes?.sticky === true ? ", for good" : "";
  return `calls on ${where} answer ${codes?.inFlight}${kept}, ${start}`;
}
