import { describe, expect, it } from "vitest";
import { followKernelLog, openKernelLogWriter } from "../../../src/hardware/kernel-log/index.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";

// The machine's own log is touched only where somebody asks for it by this variable.
const isAsked = process.env["TESSERA_TEST_KERNEL_LOG"] === "own";
const path = "/dev/kmsg";

describe.skipIf(!isAsked)(
  "the machine's own kernel log (needs TESSERA_TEST_KERNEL_LOG=own)",
  () => {
    it.each(["now", "start"] as const)(
      "takes a line and gives it back, read from %s",
      async (from) => {
        const clock = createRealClock();
        const ended = new AbortController();
        const text = `kernel: tessera: a test line, nothing is wrong ${from} ${process.pid}`;
        const writer = await openKernelLogWriter({ path, allowDevice: true });
        let written = false;
        const write = () => {
          if (!written) void writer.write(text);
          written = true;
        };
        const records = followKernelLog({ path, clock, signal: ended.signal, from, onIdle: write });
        for await (const record of records) {
          if (record.text !== text) continue;
          // Facility user, severity error: the kernel lets no program pass for itself.
          expect(record.priority).toBe(11);
          ended.abort();
        }
        expect(written).toBe(true);
        await writer.close();
      },
    );

    it("loses none of many lines, though the kernel limits what one file may write", async () => {
      const clock = createRealClock();
      const ended = new AbortController();
      const texts = Array.from({ length: 25 }, (_, at) => `kernel: tessera: ${process.pid} ${at}`);
      const writer = await openKernelLogWriter({ path, allowDevice: true });
      for (const text of texts) await writer.write(text);
      await writer.close();
      const found: string[] = [];
      const { signal } = ended;
      const onIdle = () => ended.abort();
      for await (const { text } of followKernelLog({ path, clock, signal, from: "start", onIdle }))
        if (texts.includes(text)) found.push(text);
      expect(found).toEqual(texts);
    });
  },
);
