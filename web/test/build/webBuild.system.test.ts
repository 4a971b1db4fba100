import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { ensureBuilt } from "../../../scripts/ensureBuilt.ts"
import { shapesOf } from "../../build/libraryParts.ts"
import { digestOf } from "../../build/serviceWorker.ts"

const built = fileURLToPath(new URL("../../../dist/web/", import.meta.url))

describe("the web build", () => {
  let names: ReadonlyArray<string> = []

  beforeAll(async () => {
    await ensureBuilt()
    names = readdirSync(built, { recursive: true, encoding: "utf8" })
    // No limit: a build takes as long as the machine needs.
  }, 0)

  const textOf = (name: string) => readFileSync(join(built, name), "utf8")
  const textsOf = (ending: string) => names.filter((name) => name.endsWith(ending)).map(textOf)
  const script = () => textsOf(".js").join("\n")
  const page = () => textOf("index.html")

  it("keeps Qwik's event loader, without which no handler would run", () => {
    assert.include(script(), "qwikevents")
  })

  it("contains the recovery from exceptions once, so the page holds one core", () => {
    assert.strictEqual([...script().matchAll(/new CustomEvent\(["`]qheal["`]/g)].length, 1)
  })

  it("leaves the developers' page of all pieces out", () => {
    assert.notInclude(script(), "data-piece")
    assert.deepStrictEqual(
      names.filter((name) => /pieces/i.test(name)),
      []
    )
  })

  it("sends the worker the hash of each file that it keeps", () => {
    const worker = textOf("sw.js")
    const listed = (name: string): ReadonlyArray<string> =>
      JSON.parse(new RegExp(`const ${name} = (.*)`).exec(worker)?.[1] ?? "[]")
    const paths = [...listed("SHELL"), ...listed("LATER")]
    assert.isAbove(paths.length, 50)
    const digests = paths.map((path) => digestOf(readFileSync(join(built, path)))).join("")
    assert.strictEqual(/const DIGESTS = "(.*)"/.exec(worker)?.[1], digests)
  })

  it("leaves Qwik's manifests with source paths out", () => {
    assert.deepStrictEqual(
      names.filter((name) => name.endsWith(".json")),
      []
    )
  })

  it("writes a page without inline scripts and with hashed files below /assets/", () => {
    const scripts = [...page().matchAll(/<script\b[^>]*>/g)].map((match) => match[0])
    // The theme comes before the first paint, under a fixed name; everything else is a hashed module.
    assert.strictEqual(scripts[0], '<script src="/theme.js">')
    assert.isAbove(scripts.length, 1)
    for (const tag of scripts.slice(1)) assert.match(tag, /src="\/assets\/[\w-]+-[\w-]{8}\.js"/)
    assert.notMatch(page(), /\son[a-z]+=/)
    assert.include(page(), 'translate="no"')
  })

  it("says the order of the layers before any stylesheet, as those of chunks arrive in any order", () => {
    assert.match(page(), /<style>@layer tokens, ?base, ?controls, ?utilities, ?parts;\s*<\/style>/)
    assert.isBelow(page().indexOf("@layer"), page().indexOf('rel="stylesheet"'))
  })

  it("draws every icon it imports, without the frame that icons share", () => {
    const folder = fileURLToPath(new URL("../../icons/", import.meta.url))
    for (const name of ["mic", "ear", "activity", "x"]) {
      const shapes = shapesOf(readFileSync(`${folder}${name}.svg`, "utf8"))
      assert.match(shapes, /^<(path|rect|circle|line)\b/)
      assert.include(script(), shapes)
    }
    assert.notInclude(script(), "lucide lucide-")
  })

  it("names no outside host in the page or its styles", () => {
    assert.notMatch([page(), ...textsOf(".css")].join("\n"), /(src|href|url)[=(]\s*["']?(https?:)?\/\//)
  })
})
