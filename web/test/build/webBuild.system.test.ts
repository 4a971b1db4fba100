import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { build, type Rollup } from "vite"
import { shapesOf } from "../../build/iconShapes.ts"

const configFile = fileURLToPath(new URL("../../vite.config.ts", import.meta.url))

describe("the web build", () => {
  let files: ReadonlyArray<Rollup.OutputChunk | Rollup.OutputAsset> = []

  beforeAll(async () => {
    const result = await build({ configFile, logLevel: "silent", build: { write: false } })
    assert.isFalse("on" in result, "a build, not a watcher")
    files = [result].flat().flatMap((output) => ("output" in output ? output.output : []))
  }, 180_000)

  const script = () => files.map((file) => (file.type === "chunk" ? file.code : "")).join("\n")
  const page = () => {
    const html = files.find((file) => file.fileName === "index.html")
    return html?.type === "asset" ? String(html.source) : ""
  }

  it("keeps Qwik's event loader, without which no handler would run", () => {
    assert.include(script(), "qwikevents")
  })

  it("contains the recovery from exceptions once, so the page holds one core", () => {
    assert.strictEqual(script().split('new CustomEvent("qheal"').length - 1, 1)
  })

  it("leaves the developers' page of all pieces out", () => {
    assert.notInclude(script(), "data-piece")
    assert.deepStrictEqual(
      files.map((file) => file.fileName).filter((name) => /pieces/i.test(name)),
      []
    )
  })

  it("leaves Qwik's manifests with source paths out", () => {
    assert.deepStrictEqual(
      files.map((file) => file.fileName).filter((name) => name.endsWith(".json")),
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

  it("begins every stylesheet with the order of the layers, as chunks arrive in any order", () => {
    const styles = files.filter((file) => file.fileName.endsWith(".css"))
    assert.isAbove(styles.length, 3)
    for (const file of styles) {
      assert.match(file.type === "asset" ? String(file.source) : "", /^@layer tokens, ?base, ?controls, ?parts;/)
    }
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
    const css = files.map((file) =>
      file.type === "asset" && file.fileName.endsWith(".css") ? String(file.source) : ""
    )
    assert.notMatch([page(), ...css].join("\n"), /(src|href|url)[=(]\s*["']?(https?:)?\/\//)
  })
})
