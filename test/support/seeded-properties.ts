import fc from "fast-check";

/**
 * Property tests draw the same values in every run, so that a change is judged by itself and not
 * by luck. `PROPERTY_SEED=random npm test` explores; a number repeats what it found.
 */
const given = process.env["PROPERTY_SEED"];
if (given !== "random") fc.configureGlobal({ seed: Number(given ?? 20_261_115) });
