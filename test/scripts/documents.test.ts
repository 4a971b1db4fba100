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

const tracked = execFileSync(
  "git",
  ["ls-files", "src", "practice-gateway", "web", "test", "scripts", "bench", "soak", "docs", "deploy"],
  {
    cwd: root,
    encoding: "utf8"
  }
)
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

it("the security page says how to report a vulnerability, and is in the package", () => {
  const page = textOf("SECURITY.md")
  for (const heading of ["## Reporting a vulnerability", "## Supported versions", "## What to expect"])
    assert.include(page, heading)
  const links = [...page.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, target = ""]) => target)
  assert.include(links, "docs/SECURITY.md")
  for (const target of links) assert.isTrue(isThere(target), target)
  // Nobody knows who reads an address that isn't in the repository's own settings.
  assert.notMatch(page, /[\w.]+@[\w-]+\.\w/)
  const { files, version }: { readonly files: ReadonlyArray<string>; readonly version: string } = JSON.parse(
    textOf("package.json")
  )
  assert.include(files, "SECURITY.md")
  assert.include(page, version.replace(/\.\d+$/, ".x"))
})

it("no text calls the tab of a previewed page without a network and leaves out WebRTC", () => {
  const claims = /\bwithout (?:a|the|any) network\b|\bno network\b|\bnothing outside\b/i
  const about = /preview|\btab\b|\bscripts? run/i
  const found = ["README.md", "CHANGELOG.md", "SECURITY.md", ...tracked].flatMap((name) =>
    textOf(name)
      .split("\n")
      .flatMap((line, index) =>
        claims.test(line) && about.test(line) && !line.includes("WebRTC")
          ? [`${name}:${index + 1}: ${line.trim()}`]
          : []
      )
  )
  assert.deepStrictEqual(found, [])
})

it("no text has people install the package by a name that isn't published", () => {
  const byName =
    /\bagent-console@(?:latest|next|\d)|\bnpm (?:install|i) (?:-g|--global) agent-console\b|\bnpx agent-console\b/
  const found = ["README.md", "CHANGELOG.md", ...tracked].filter(
    (name) => !name.startsWith("test/") && byName.test(textOf(name))
  )
  assert.deepStrictEqual(found, [])
})
