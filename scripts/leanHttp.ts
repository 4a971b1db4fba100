import http from "node:http"
import type { Plugin } from "vite"

const ID = "\0lean-http"

/** Reading one of these makes Node load its whole fetch implementation, and importing the module reads them all. */
const HEAVY = ["WebSocket", "CloseEvent", "MessageEvent"]

/**
 * Imports `node:http` without its three browser classes, which the server never uses: they'd cost a third of the time
 * to the first response and several megabytes of memory.
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
