import type { NodeCondition } from "../../objects/index.ts";
import { actionName, type Entity, type HealthEvent } from "./health-event.ts";

/** The most that NVSentinel writes into a condition. */
const messageBytesMax = 1024;
const wellMessage = "No Health Failures";
const cut = "...";
const actionMark = "Recommended Action=";

/**
 * The conditions of a node after an event, as NVSentinel's platform connector sets them; undefined
 * where it sets none: an event that is neither fatal nor healthy becomes a Kubernetes Event alone.
 */
export function conditionsAfter(
  conditions: readonly NodeCondition[],
  event: HealthEvent,
  nowMs: number,
): readonly NodeCondition[] | undefined {
  if (event.isFatal !== true && event.isHealthy !== true) return undefined;
  const known = conditions.find(({ type }) => type === event.checkName);
  const messages = messagesAfter(splitMessage(known?.message), event);
  const seconds = event.generatedTimestamp?.seconds;
  const at = `${new Date(seconds === undefined ? nowMs : seconds * 1000).toISOString().slice(0, 19)}Z`;
  const status = messages.length > 0 ? "True" : "False";
  const next: NodeCondition = {
    type: event.checkName,
    status,
    reason: eventReason(event.checkName, messages.length === 0),
    message: messages.length > 0 ? joinMessages(messages) : wellMessage,
    lastHeartbeatTime: at,
    lastTransitionTime: known?.status === status ? (known.lastTransitionTime ?? at) : at,
  };
  return known === undefined
    ? [...conditions, next]
    : conditions.map((each) => (each === known ? next : each));
}

/** `SysLogsXIDErrorIsNotHealthy` */
export function eventReason(checkName: string, isHealthy: boolean): string {
  return `${checkName}${isHealthy ? "IsHealthy" : "IsNotHealthy"}`;
}

/** `ErrorCode:79 PCI:0000:3b:00 <line> Recommended Action=RESTART_BM`; the line's semicolons become dots. */
export function eventMessage(event: HealthEvent): string {
  const codes = (event.errorCode ?? []).map((code) => `ErrorCode:${code}`);
  const entities = (event.entitiesImpacted ?? []).map(entityToken);
  const text = event.message ? [event.message.replaceAll(";", ".")] : [];
  const action = `${actionMark}${actionName(event.recommendedAction)}`;
  return [...codes, ...entities, ...text, action].join(" ");
}

function messagesAfter(messages: readonly string[], event: HealthEvent): readonly string[] {
  if (event.isHealthy !== true) {
    const message = eventMessage(event);
    return messages.includes(message) ? messages : [...messages, message];
  }
  const entities = stableEntities(event.entitiesImpacted ?? []);
  if (entities.length === 0) return [];
  const codes = event.errorCode ?? [];
  return messages.filter((message) => {
    const words = message.split(" ");
    const named = entities.every((entity) => words.includes(entityToken(entity)));
    const coded = codes.length === 0 || codes.some((code) => words.includes(`ErrorCode:${code}`));
    return !(named && coded);
  });
}

/** A GPU that was replaced has the same address and another UUID. */
function stableEntities(entities: readonly Entity[]): readonly Entity[] {
  const stable = entities.filter(({ entityType }) => entityType !== "GPU_UUID");
  return stable.length > 0 ? stable : entities;
}

function splitMessage(message: string | undefined): readonly string[] {
  return (message ?? "")
    .split(";")
    .filter((part) => part !== "" && part !== cut && part.trim() !== wellMessage);
}

/** Too long: faults of the same code, address and action once, then without their lines, then cut. */
function joinMessages(messages: readonly string[]): string {
  const joined = (parts: readonly string[]) => `${parts.join(";")};`;
  const fits = (text: string) => Buffer.byteLength(text) <= messageBytesMax;
  if (fits(joined(messages))) return joined(messages);
  const unique = [...new Map(messages.map((each) => [identity(each), each])).values()];
  if (fits(joined(unique))) return joined(unique);
  const short = joined(unique.map(identity));
  if (fits(short)) return short;
  return `${cutToBytes(short, messageBytesMax - cut.length)}${cut}`;
}

function identity(message: string): string {
  const words = message.split(" ").filter((word) => /^(?:ErrorCode|PCI|GPU):/.test(word));
  const at = message.lastIndexOf(actionMark);
  return [...words, ...(at === -1 ? [] : [message.slice(at)])].join(" ");
}

/** Never in the middle of a character. */
function cutToBytes(text: string, bytes: number): string {
  const buffer = Buffer.from(text);
  let end = Math.min(bytes, buffer.length);
  while (end > 0 && ((buffer[end] ?? 0) & 0xc0) === 0x80) end--;
  return buffer.subarray(0, end).toString();
}

function entityToken({ entityType, entityValue }: Entity): string {
  return `${entityType}:${entityValue}`;
}
