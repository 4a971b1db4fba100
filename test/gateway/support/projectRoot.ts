import { fileURLToPath } from "node:url"

/** The project's root directory. */
export const PROJECT_ROOT = fileURLToPath(new URL("../../..", import.meta.url))
