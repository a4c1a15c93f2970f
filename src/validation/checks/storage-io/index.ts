export { fioProbe } from "./fio-probe.ts";
