import type { Plugin } from "vite"

/**
 * Marks the output folder's files as CommonJS, which Node links in a fraction of the time of ES modules: otherwise that
 * takes a sixth of a start's CPU time.
 */
export const commonJsFolder = (): Plugin => ({
  name: "common-js-folder",
  generateBundle() {
    this.emitFile({ type: "asset", fileName: "package.json", source: `${JSON.stringify({ type: "commonjs" })}\n` })
  }
})
