import type { DlCase } from "./case.ts";

/** Copies between the host's memory and the device's, both ways. */
export const transferCase: DlCase = {
  name: "transfer",
  title: "Copies between host and device",
  styles: ["exact"],
  plan: ({ profile, scale }) => {
    const bytes = Math.max(2 ** 20, Math.round(2 ** 28 * Math.min(1, scale ** 2)));
    return {
      name: "transfer",
      key: "transfer",
      styles: ["exact"],
      unsupported: ({ transfer }) =>
        transfer === undefined ? "the device's memory is the host's" : undefined,
      run: async ({ engine }) => {
        const rounds = profile === "quick" ? 20 : 100;
        const result = await engine.transfer?.({ bytes, rounds });
        if (result === undefined) return { problems: [], digests: {}, figures: {} };
        const { toDeviceGbps, toHostGbps, mismatch } = result;
        const figure = (samples: readonly number[]) => {
          return { samples, unit: "GB/s", higherIsBetter: true };
        };
        const text = `${mismatch?.wrong} bytes came back other than they were sent; the first is ${mismatch?.first}`;
        return {
          problems: mismatch === undefined ? [] : [{ style: "exact", text }],
          digests: {},
          figures: { h2d_gbps: figure(toDeviceGbps), d2h_gbps: figure(toHostGbps) },
        };
      },
    };
  },
};
