import { existsSync, readFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"

const root = new URL("../../", import.meta.url)
const textOf = (name: string) => readFileSync(new URL(name, root), "utf8")
const isThere = (path: string) => existsSync(new URL(path, root))

/** The names in the first column of the table that begins with this heading. */
const namedUnder = (heading: string): ReadonlyArray<string> => {
  const [, table = ""] = textOf("docs/ARCHITECTURE.md").split(`| \`${heading}\``)
  const rows = table.slice(table.indexOf("\n")).split("\n\n")[0] ?? ""
  return [...rows.matchAll(/^\| `([\w-]+)`/gm)].map(([, name]) => name ?? "")
}

it.each(["src/services", "web/src"])("the folders of %s that the architecture's page explains are there", (place) => {
  const named = namedUnder(`${place}/…`)
  assert.isAbove(named.length, 5)
  for (const name of named) assert.isTrue(isThere(`${place}/${name}`), name)
})

it("every file the pages name is there", () => {
  for (const page of ["docs/ARCHITECTURE.md", "docs/SECURITY.md", "docs/RELIABILITY.md"]) {
    const named = [...textOf(page).matchAll(/`((?:web\/)?(?:src|test|scripts|docs|soak|bench)\/[\w./-]+\.\w+)`/g)]
    for (const [, path = ""] of named) assert.isTrue(isThere(path), `${page}: ${path}`)
  }
})
