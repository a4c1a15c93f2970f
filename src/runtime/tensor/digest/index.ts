export { type DigestSource, digestOf } from "./digest.ts";
