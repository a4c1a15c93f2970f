export { Detector } from "./detector.ts";
