export { type AssembledLoop, type AssembleOptions, assembleLoop } from "./assemble-loop.ts";
