import { fileURLToPath } from "node:url"

/** The package's folder: two levels above this module, both in the build and in the source. */
export const packageRoot = fileURLToPath(new URL("../..", import.meta.url)).replace(/[/\\]$/, "")
