import type { Plugin } from "vite"

/**
 * Keeps the import of Qwik's event loader in the production bundle. Qwik's package declares itself free of side effects,
 * so the bundler would drop that import, and then no event handler of the page would ever run.
 */
export const keepQwikLoader = (): Plugin => ({
  name: "keep-qwik-loader",
  enforce: "pre",
  async resolveId(id, importer, options) {
    if (!id.endsWith("/qwikloader.js")) return null
    const resolved = await this.resolve(id, importer, { ...options, skipSelf: true })
    return resolved === null ? null : { ...resolved, moduleSideEffects: true }
  }
})
