import {
  createCoordinator,
  type PlatformNews,
  type ToCoordinator,
} from "../../../../src/chaos/elastic/index.ts";
import type { JobEvent } from "../../../../src/chaos/record/index.ts";
import { type SetupChoices, setupOf } from "./tiny-setup.ts";

/** A coordinator whose world is this test: what it orders is written down, what comes is told. */
export function coordinator(choices: SetupChoices = {}) {
  const orders: string[] = [];
  const events: string[] = [];
  const timers = new Map<string, number>();
  let nowUs = 0;
  const made = createCoordinator(setupOf(choices).coordinator, {
    send: (to, message) => orders.push(`${message.type} ${to.slot}:${to.incarnation}`),
    start: (worker) => orders.push(`start ${worker.slot}:${worker.incarnation}`),
    kill: (worker) => orders.push(`kill ${worker.slot}:${worker.incarnation}`),
    setTimer: (name, atUs) => {
      if (atUs === null) timers.delete(name);
      else timers.set(name, atUs);
    },
    record: (event) => events.push(inShort(event as JobEvent)),
  });
  const incarnations = new Map<number, number>();
  const say = (slot: number, message: ToCoordinator, incarnation = incarnations.get(slot) ?? 1) =>
    made.message({ slot, incarnation }, message, ++nowUs);
  const tell = (news: PlatformNews) => made.news(news, ++nowUs);
  const exit = (slot: number, incarnation = incarnations.get(slot) ?? 1) => {
    tell({ type: "exited", worker: { slot, incarnation }, how: "SIGKILL" });
    incarnations.set(slot, incarnation + 1);
  };
  const fire = (name: string) => {
    nowUs = Math.max(nowUs, timers.get(name) ?? Number.NaN);
    timers.delete(name);
    made.timer(name, nowUs);
  };
  const did = () => ({ orders: orders.splice(0), events: events.splice(0) });
  /** All are up, have met, and have loaded this step. */
  const gather = (slots: readonly number[], generation: number, step = 0) => {
    for (const slot of slots) say(slot, { type: "hello" });
    for (const slot of slots) say(slot, { type: "joined", generation });
    for (const slot of slots) say(slot, { type: "restored", generation, step });
    return did();
  };
  const save = (slot: number, phase: "begun" | "committed", step: number, generation = 1) => {
    const tag = `step-${String(step).padStart(6, "0")}`;
    say(slot, { type: "save", generation, phase, tag, step });
  };
  made.start(0);
  return { made, say, tell, exit, fire, did, gather, save, timers };
}

function inShort(event: JobEvent): string {
  if (event.kind === "detect") return `detect ${event.by} ${event.ranks.join(",")}`;
  if (event.kind === "save" || event.kind === "restore") {
    return `${event.kind} ${event.phase} ${event.step}`;
  }
  return event.kind === "give-up" ? `give up: ${event.reason}` : event.kind;
}
