import http from "node:http"
import type { Plugin } from "vite"

const ID = "\0lean-http"

/** Reading one of these makes Node load its whole fetch implementation, and an `import` of the module reads them all. */
const HEAVY = ["WebSocket", "CloseEvent", "MessageEvent"]

/**
 * Takes `node:http` without its three browser classes, which the server never uses: a third of the time to the first
 * answer and several megabytes of memory go into them otherwise.
 */
export const leanHttp = (): Plugin => ({
  name: "lean-http",
  enforce: "pre",
  resolveId: (source) => (source === "node:http" || source === "http" ? ID : undefined),
  load: (id) => {
    if (id !== ID) return undefined
    const names = Object.keys(http).filter((name) => !HEAVY.includes(name))
    return `const http = process.getBuiltinModule("node:http")
export default http
export const { ${names.join(", ")} } = http`
  }
})
