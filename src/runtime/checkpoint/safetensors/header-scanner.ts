import { JsonScanner, type ScannedText } from "../json/index.ts";
import { refusal } from "./refusal.ts";
import type { SafetensorsRule } from "./rules.ts";

/** The reference implementation stops here. */
const depthMax = 127;

/** Walks over the JSON of a header; what is wrong with it is E_SAFETENSORS. */
export class HeaderScanner extends JsonScanner {
  /** The tensor that the text is about right now, for refusals. */
  tensor: string | undefined;
  readonly #file: string;

  constructor(file: string, text: Omit<ScannedText, "depthMax">) {
    super({ ...text, depthMax });
    this.#file = file;
  }

  /** Refuses the file. @throws E_SAFETENSORS */
  override fail(rule: SafetensorsRule, problem: string, position = this.position): never {
    throw refusal(this.#file, { rule, problem, tensor: this.tensor, position });
  }
}
