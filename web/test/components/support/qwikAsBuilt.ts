import { fileURLToPath } from "node:url"
import { createOptimizer } from "@builder.io/qwik/optimizer"
import type { Plugin } from "vite"

/** The one core that components and Qwik's test renderer share. */
const CORE = fileURLToPath(new URL("../../../../node_modules/@builder.io/qwik/dist/core.mjs", import.meta.url))

/**
 * Prepares components for tests as the page's build does: handlers inline, for a browser. Qwik's own plugin prepares
 * them for a server there, where a handler can't use what its component declares further down.
 */
export const qwikAsBuilt = (): Plugin => {
  let optimizer: Awaited<ReturnType<typeof createOptimizer>> | undefined
  return {
    name: "qwik-as-built",
    enforce: "pre",
    config: () => ({
      // The core's checks for pages that a server draws refuse services in a context.
      define: { "globalThis.qDev": "false" },
      resolve: { alias: [{ find: /^@builder\.io\/qwik(\/jsx(-dev)?-runtime)?$/, replacement: CORE }] }
    }),
    async transform(code, id) {
      const [path = ""] = id.split("?")
      if (!path.endsWith(".tsx") && !(path.endsWith(".ts") && code.includes("@builder.io/qwik"))) return null
      optimizer ??= await createOptimizer()
      const { modules } = optimizer.transformModulesSync({
        input: [{ code, path: path.slice(1) }],
        srcDir: "/",
        entryStrategy: { type: "inline" },
        minify: "simplify",
        mode: "prod",
        transpileTs: true,
        transpileJsx: true,
        explicitExtensions: true,
        preserveFilenames: true,
        sourceMaps: true,
        isServer: false
      })
      const [module] = modules
      return module === undefined ? null : { code: module.code, map: module.map }
    }
  }
}
