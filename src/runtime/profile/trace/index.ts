export { renderChromeTrace } from "./render-trace.ts";
