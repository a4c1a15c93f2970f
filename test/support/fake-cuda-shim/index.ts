/**
 * The CUDA shim on a machine without a GPU: a driver and a runtime of a few functions, compiled here,
 * and a program that calls them by every route there is.
 *
 *     describe.skipIf(noStubs !== "")(`the shim${noStubs}`, () => {
 *       beforeAll(async () => { stubs = await buildShimStubs(); });
 *       it("…", async () => { await using caller = new Caller(stubs, { control }); … });
 */
export { buildShimStubs, noStubs, type PieceName, type ShimStubs } from "./build.ts";
export { Caller } from "./caller.ts";
