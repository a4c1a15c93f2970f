import { z } from "zod";
import { fromWorkerSchema } from "../launch/messages.ts";

/** What a rank under srun tells its launcher, in lines of its standard output. */
export const stepMessageSchema = z.union([
  /** It runs, there. */
  z.object({ type: z.literal("here"), node: z.string().max(300) }),
  fromWorkerSchema,
]);
export type StepMessage = z.input<typeof stepMessageSchema>;
