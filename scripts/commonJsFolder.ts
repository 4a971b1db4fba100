import type { Plugin } from "vite"

/**
 * Says in the output folder that its files are CommonJS, which Node links in a fraction of the time ES modules take:
 * a sixth of a start's processor time goes into that otherwise.
 */
export const commonJsFolder = (): Plugin => ({
  name: "common-js-folder",
  generateBundle() {
    this.emitFile({ type: "asset", fileName: "package.json", source: `${JSON.stringify({ type: "commonjs" })}\n` })
  }
})
