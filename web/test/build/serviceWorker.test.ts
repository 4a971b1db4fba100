import { assert, describe, it } from "@effect/vitest"
import { digestOf, laterParts, workerSource } from "../../build/serviceWorker.ts"

const SOURCE =
  'const SHELL = __SHELL__\nconst LATER = __LATER__\nconst DIGESTS = "__DIGESTS__"\nconst CACHE = "shell-__VERSION__"'
const contentOf = (path: string) => `content of ${path}`

describe("workerSource", () => {
  it("names what is kept, and never the API", () => {
    const source = workerSource(
      SOURCE,
      ["/assets/index-1.js"],
      ["/assets/board-1.js"],
      ["assets/index-1.js"],
      contentOf
    )
    assert.include(source, '"/offline.html"')
    assert.include(source, '"/assets/index-1.js"]')
    assert.include(source, 'LATER = ["/assets/board-1.js"]')
    assert.notInclude(source, "__")
  })

  it("has another name for its cache whenever a file of the build or the worker itself is another", () => {
    const first = workerSource(SOURCE, [], [], ["a-1.js", "b-1.js"], contentOf)
    const cacheOf = (source: string) => source.split("\n")[3]
    const others = [
      workerSource(SOURCE, [], [], ["a-2.js", "b-1.js"], contentOf),
      workerSource(`${SOURCE}\n// other`, [], [], ["a-1.js", "b-1.js"], contentOf),
      workerSource(SOURCE, [], [], ["a-1.js", "b-1.js"], (path) => `another ${path}`)
    ]
    assert.strictEqual(workerSource(SOURCE, [], [], ["b-1.js", "a-1.js"], contentOf), first)
    for (const other of others) assert.notStrictEqual(cacheOf(other), cacheOf(first))
  })

  it("has the digests of what it keeps, in the order of its names", () => {
    const source = workerSource(SOURCE, ["/assets/index-1.js"], ["/assets/board-1.js"], [], contentOf)
    const digests = ["/assets/index-1.js", "/assets/board-1.js"].map((path) => digestOf(contentOf(path)))
    assert.include(source, `${digests.join("")}"`)
    assert.lengthOf(digests.join(""), 32)
  })
})

describe("laterParts", () => {
  it("are the scripts and styles behind the first screen, without what only some documents need", () => {
    const built = [
      { file: "assets/index-1.js", bytes: 100_000 },
      { file: "assets/BoardScreen-1.js", bytes: 100_000 },
      { file: "assets/BoardScreen-1.css", bytes: 10_000 },
      { file: "assets/everything-1.js", bytes: 2_000_000 },
      { file: "assets/worker-1.mjs", bytes: 1_000 },
      { file: "assets/font-1.woff2", bytes: 1_000 },
      { file: "assets/pdf-6/wasm/decoder.js", bytes: 1_000 },
      { file: "sw.js", bytes: 1_000 }
    ]
    assert.deepStrictEqual(laterParts(built, ["/assets/index-1.js"]), [
      "/assets/BoardScreen-1.css",
      "/assets/BoardScreen-1.js"
    ])
  })
})
