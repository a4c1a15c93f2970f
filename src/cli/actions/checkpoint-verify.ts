import { exitCodes } from "../../platform/errors/index.ts";
import { bytesBelow } from "../checkpoint/bytes-below.ts";
import { pathAt } from "../checkpoint/path-at.ts";
import { asTyped, verifyDocument, verifyItem } from "../checkpoint/verify-items.ts";
import { watchedFiles } from "../checkpoint/watched-files.ts";
import type { Action } from "../invocation.ts";
import { writeJson } from "../output.ts";
import { reporterFor } from "../reporter.ts";

const mib = 2 ** 20;

/** `tessera checkpoint verify`: every file at a path, good or bad. */
export const run: Action = async (invocation) => {
  const { args, clock, globals, io, signal } = invocation;
  const path = args[0] ?? "";
  const [{ verifyPath }, { createNodeFiles }] = await Promise.all([
    import("../../runtime/checkpoint/examine/index.ts"),
    import("../../runtime/checkpoint/files/index.ts"),
  ]);
  const startedAtMs = clock.nowMs();
  const startedMs = clock.monotonicMs();
  const reporter = reporterFor(invocation, { ownJson: true });
  try {
    const plain = createNodeFiles();
    const absolute = await pathAt(io.cwd, path);
    const totalBytes = await bytesBelow(plain, absolute);
    // No share of the whole: of files that others wrote only the headers are read.
    const note = `MiB read; the files have ${Math.ceil((totalBytes ?? 0) / mib)} MiB`;
    let readBytes = 0;
    const files = watchedFiles(plain, {
      signal,
      onBytes: (bytes) => {
        readBytes += bytes;
        if (readBytes < mib) return;
        const done = Math.floor(readBytes / mib);
        reporter.onProgress({ id: "read", done, note });
      },
    });
    // Of a path that is not there nothing is said but the error.
    if (totalBytes !== undefined) reporter.onBegin({ title: "Verify", subject: path });
    reporter.onItemStart({ id: "read", name: path });
    const result = asTyped(await verifyPath(files, absolute), { path, absolute });
    // What gave up is no verdict.
    signal.throwIfAborted();
    const items = result.files.map((file) => verifyItem(file, path));
    for (const item of items) {
      reporter.onItemStart({ id: item.name, name: item.name });
      reporter.onItemEnd({ id: item.name, item });
    }
    await reporter.onEnd({
      title: "Verify",
      subject: path,
      startedAtMs,
      durationMs: clock.monotonicMs() - startedMs,
      notes: [],
      sections: [{ title: "Files", items }],
      plots: [],
    });
    if (globals.json) writeJson(io.stdout, verifyDocument(result));
    return result.ok ? exitCodes.good : exitCodes.failed;
  } finally {
    reporter.onAbort();
  }
};
