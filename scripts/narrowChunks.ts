import type { Plugin } from "vite"

/**
 * Refuses a chunk with a character outside of Latin-1: V8 would keep the whole text of the chunk at two bytes a character.
 * The minifier escapes them in texts, but not in regular expressions.
 */
export const narrowChunks = (): Plugin => ({
  name: "narrow-chunks",
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== "chunk") continue
      const wide = /[^\0-\xff]/.exec(chunk.code)
      if (wide === null) continue
      const around = chunk.code.slice(Math.max(0, wide.index - 20), wide.index + 20)
      this.error(`${chunk.fileName} has "${wide[0]}" in \u201c${around}\u201d: write it as an escape, such as \\u201c`)
    }
  }
})
