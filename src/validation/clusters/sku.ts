/** The makers' names for models, without `NVIDIA-` and in lower case, and ours. */
const skus: Readonly<Record<string, string>> = {
  "a100-sxm4-40gb": "a100-sxm4-40gb",
  "a100-sxm4-80gb": "a100-sxm4-80gb",
  "a100-pcie-40gb": "a100-pcie-40gb",
  "a100-80gb-pcie": "a100-pcie-80gb",
  "h100-80gb-hbm3": "h100-sxm5-80gb",
  "h100-sxm5-80gb": "h100-sxm5-80gb",
  "h100-pcie": "h100-pcie-80gb",
  "h100-nvl": "h100-nvl-94gb",
  h200: "h200-sxm5-141gb",
  "h200-nvl": "h200-nvl-141gb",
  b200: "b200-sxm6-180gb",
  b300: "b300-sxm6-270gb",
  "b300-sxm6-ac": "b300-sxm6-270gb",
  gb200: "gb200-186gb",
  gb300: "gb300-279gb",
};

/**
 * The model of a node's GPUs in our spelling: `NVIDIA-H100-80GB-HBM3` is `h100-sxm5-80gb`. A name we
 * do not know is kept as lower-case words with hyphens, without the vendor.
 */
export function skuOf(product: string | undefined): string {
  const slug = (product ?? "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, "-")
    .replace(/^-?nvidia-/, "")
    // Time slicing changes the label, not the hardware.
    .replace(/-shared$/, "")
    .replaceAll(/^-+|-+$/g, "");
  if (slug === "") return "unknown";
  return Object.hasOwn(skus, slug) ? (skus[slug] ?? slug) : slug;
}
