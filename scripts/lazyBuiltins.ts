import type { Plugin } from "vite"

const PREFIX = "\0lazy:"

/** Modules of Node that the console needs only some time after it listens, or never. */
const LATER = ["child_process", "crypto", "readline", "tls"] as const

const nameOf = (source: string) => LATER.find((name) => source === name || source === `node:${name}`)

/**
 * Imports some of Node's modules without loading them: each of their functions and classes loads its module when it's
 * called or looked into. All that the console imports before it listens would cost a tenth of the time to the first response.
 */
export const lazyBuiltins = (): Plugin => ({
  name: "lazy-builtins",
  enforce: "pre",
  resolveId: (source) => {
    const name = nameOf(source)
    return name === undefined ? undefined : `${PREFIX}${name}`
  },
  load: (id) => (id.startsWith(PREFIX) ? moduleText(id.slice(PREFIX.length)) : undefined)
})

/** An ES module with the same exports; an object such as `crypto.subtle` keeps its methods. */
const moduleText = (name: string): string => {
  const exported = Object.entries(process.getBuiltinModule(`node:${name}`) ?? {}).map(
    ([key, value]) =>
      `export const ${key} = /* @__PURE__ */ later(${JSON.stringify(key)}, ${typeof value === "function"})`
  )
  return `const load = () => process.getBuiltinModule("node:${name}")
const later = (key, isFunction) => new Proxy(isFunction ? function () {} : {}, {
  get: (_, name) => {
    const value = Reflect.get(load()[key], name)
    return !isFunction && typeof value === "function" ? value.bind(load()[key]) : value
  },
  apply: (_, self, args) => Reflect.apply(load()[key], self, args),
  construct: (_, args) => Reflect.construct(load()[key], args)
})
export default new Proxy({}, { get: (_, key) => load()[key] })
${exported.join("\n")}`
}
