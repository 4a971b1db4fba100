import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"

const STRINGS = /"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g
/** What the API calls the services that people know by name. */
const INNER = /\b(?:vendor|agent)_[ab]\b/
/** Says which values a field of the API takes. */
const FOR_PROGRAMS = "must be one of: local, vendor_a"

const sourcesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))

const stringsIn = (source: string): ReadonlyArray<string> => {
  const code = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "").replace(/\$\{[^{}]*\}/g, "")
  return [...code.matchAll(STRINGS)].map(([, quoted, template]) => quoted ?? template ?? "")
}

it("no sentence of the page or the server calls a service by the API's name for it", () => {
  const found = ["web/src", "src/services", "src/http", "src/cli"].flatMap(sourcesIn).flatMap((file) =>
    stringsIn(readFileSync(file, "utf8"))
      // What has no space is a name, not a sentence.
      .filter((text) => /\s/.test(text) && INNER.test(text) && text !== FOR_PROGRAMS)
      .map((text) => `${file}: ${text}`)
  )
  assert.deepStrictEqual(found, [])
})
