import { readFileSync } from "node:fs"
import type { Plugin } from "vite"

/** The first statement of a stylesheet when it names the order of its layers. */
const orderOf = (css: string): string => /^@layer [^;{]+;/.exec(css)?.[0] ?? ""

/**
 * Begins every stylesheet with the order of the cascade layers: whichever arrives first sets it, and stylesheets of
 * chunks arrive in any order.
 */
export const layerOrder = (mainStylesheet: string): Plugin => ({
  name: "layer-order",
  enforce: "post",
  generateBundle(_options, bundle) {
    const order = orderOf(readFileSync(mainStylesheet, "utf8"))
    if (order === "") this.error(`${mainStylesheet} does not begin with the order of the layers`)
    for (const output of Object.values(bundle)) {
      if (output.type !== "asset" || !output.fileName.endsWith(".css")) continue
      output.source = order + Buffer.from(output.source).toString("utf8")
    }
  }
})
