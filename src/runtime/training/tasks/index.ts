export { type TrainInput, type TrainResult, trainTask } from "./train.ts";
