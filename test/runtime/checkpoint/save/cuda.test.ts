import { expect, it } from "vitest";
import { saveAsync } from "../../../../src/runtime/checkpoint/save/index.ts";
import { toDevice } from "../../../../src/runtime/cuda/tensor/index.ts";
import { provenIn } from "../../../support/checkpoint/index.ts";
import { noFake, openFake } from "../../cuda/device/on-fake.ts";
import { tensor } from "./runtime.ts";
import { place, root } from "./support.ts";

it.skipIf(noFake !== "")(
  `what lies on a GPU is saved as it was at the call, though it is overwritten and freed${noFake}`,
  async () => {
    const { files, clock } = place();
    const before = tensor.randn([20, 10], { seed: 1 });
    using w = toDevice(before, openFake());
    const pending = saveAsync("a", { w }, { root, files, clock });
    w.upload(tensor.zeros([20, 10]));
    w.free();
    await pending.done;
    const [proven] = await provenIn(files, root);
    expect(proven?.digests.get("w")).toBe(before.digest());
    expect(() => saveAsync("b", { w }, { root, files, clock })).toThrow("w was freed");
  },
);
