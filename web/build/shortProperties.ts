import type { Plugin } from "vite"

/** A property that only Qwik's core uses, such as `$element$`. */
const PRIVATE = /(?<![\w$])\$[A-Za-z]\w*\$(?![\w$])/g

const isCoreFile = (id: string) => /qwik[\\/]dist[\\/]core\.prod\.mjs/.test(id)

/** Some code with a short name for each private property, the shortest ones for the most frequent. */
export const withShortProperties = (code: string): string => {
  const counts = new Map<string, number>()
  for (const [name] of code.matchAll(PRIVATE)) counts.set(name, (counts.get(name) ?? 0) + 1)
  const names = [...counts].toSorted(([, a], [, b]) => b - a).map(([name]) => name)
  const short = new Map(names.map((name, index) => [name, `$${index.toString(36)}`]))
  return code.replaceAll(PRIVATE, (name) => short.get(name) ?? name)
}

/**
 * Shortens the names of the properties that Qwik's core keeps for itself, as its minified build does; the page is built
 * from the readable one, whose place for the recovery can be found.
 */
export const shortProperties = (): Plugin => ({
  name: "short-properties",
  apply: "build",
  // After the recovery has been added, which uses such properties, too.
  transform: (source, id) => (isCoreFile(id) ? { code: withShortProperties(source), map: null } : null)
})
