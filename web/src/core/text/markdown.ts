import { loadSanitizer } from "./loadSanitizer.ts"
import { createMarkdown } from "./MarkdownRenderer.ts"
import type { MarkdownRenderer } from "./textTypes.ts"

/** Makes the page's only renderer. Import this module lazily: it pulls in the markdown library. */
export const createPageMarkdown = async (): Promise<MarkdownRenderer> =>
  createMarkdown({
    sanitize: await loadSanitizer(),
    loadHighlight: async () => (await import("./highlightCode.ts")).highlightCode,
    loadMath: async (onArrival) => {
      const { createMath } = await import("./math/createMath.ts")
      return createMath(async () => (await import("./math/loadTypeset.ts")).loadTypeset(), onArrival)
    }
  })
