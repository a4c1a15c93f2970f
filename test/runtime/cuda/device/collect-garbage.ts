import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { waitUntil } from "../../../support/wait-until.ts";

/** Collects garbage until what is to be collected is gone. */
export async function collectGarbage(gone: () => boolean): Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  await waitUntil("the garbage is collected", () => {
    collect();
    return gone();
  });
}
