import { execFileSync } from "node:child_process"
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

const tracked = execFileSync("git", ["ls-files", "src", "web", "test", "scripts", "bench", "soak", "docs", "deploy"], {
  cwd: root,
  encoding: "utf8"
})
  .split("\n")
  .filter((name) => /\.(tsx?|mjs|css|md)$/.test(name) && isThere(name) && !name.startsWith("test/scripts/"))

it("no text refers to papers a reader of the repository doesn't have", () => {
  const elsewhere = /\bD\d{2}\b|\b(?:SPEC|DESIGN|PROTOCOL|TRIAL|POC)(?:\.md|'s|\b(?= "))|\bgateway protocol, "/
  const found = tracked.flatMap((name) =>
    textOf(name)
      .split("\n")
      .flatMap((line, index) => (elsewhere.test(line) ? [`${name}:${index + 1}: ${line.trim()}`] : []))
  )
  assert.deepStrictEqual(found, [])
})

it("every page of docs that a comment or another page links to is there", () => {
  const missing = tracked.flatMap((name) =>
    [...textOf(name).matchAll(/\bdocs\/[\w/-]+\.md\b/g)].flatMap(([path]) =>
      isThere(path) ? [] : [`${name}: ${path}`]
    )
  )
  assert.deepStrictEqual(missing, [])
})
