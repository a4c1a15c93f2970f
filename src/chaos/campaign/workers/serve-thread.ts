import type { MessagePort } from "node:worker_threads";
import { messageOf } from "../../../platform/errors/index.ts";
import type { Trial } from "../../journal/index.ts";
import { carryOut } from "./carry-out.ts";
import type { ThreadAnswer, ThreadOrder } from "./thread-worker.ts";

/** Serves orders until the other side closes the port. What a run throws is an answer too. */
export async function serveThread(
  port: MessagePort,
  trial: Trial,
  signal: AbortSignal,
): Promise<void> {
  let last = Promise.resolve();
  port.on("message", ({ id, order }: ThreadOrder) => {
    // One after the other: a thread has one processor.
    last = last.then(async () => {
      let answer: ThreadAnswer;
      try {
        answer = { id, summary: await carryOut(order, trial, signal) };
      } catch (error) {
        answer = { id, failed: messageOf(error) };
      }
      port.postMessage(answer);
    });
  });
  await new Promise((resolve) => port.once("close", resolve));
  await last;
}
