import { TesseraError } from "../../errors/index.ts";

/** Where in which kubeconfig something is wrong. */
export interface KubeConfigField {
  /** The file, or several joined as in KUBECONFIG. */
  readonly file: string;
  /** The field as one would find it in the file: `users[admin].client-key-data`. */
  readonly field: string;
}

/**
 * An E_KUBECONFIG_INVALID for a field. `problem` never quotes the field's value: kubeconfigs are
 * full of secrets, so the error carries no cause that might quote one either.
 */
export function invalidKubeConfig(where: KubeConfigField, problem: string): TesseraError {
  return new TesseraError("E_KUBECONFIG_INVALID", { ...where, problem });
}
