import type { Plugin } from "vite"

/** Modules of one source: the file itself, and what the optimizer made of it (`?qwik…`, `_component_…`). */
const isAmong = (names: ReadonlyArray<string>, id: string): boolean => names.some((name) => id.includes(name))

/**
 * Puts small modules that the first screen shares with others into one chunk: each would be a request of its own, and
 * requests cost a first screen more than bytes.
 */
export const sharedParts = (names: ReadonlyArray<string>): Plugin => ({
  name: "shared-parts",
  enforce: "post",
  outputOptions(options) {
    const others = options.manualChunks
    return {
      ...options,
      manualChunks: (id, meta) => {
        if (isAmong(names, id)) return "parts"
        return typeof others === "function" ? others(id, meta) : undefined
      }
    }
  }
})
