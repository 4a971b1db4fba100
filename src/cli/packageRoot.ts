import { fileURLToPath } from "node:url"

/** The folder the package lies in: two levels above the chunk of this module, or above its source. */
export const packageRoot = fileURLToPath(new URL("../..", import.meta.url)).replace(/[/\\]$/, "")
