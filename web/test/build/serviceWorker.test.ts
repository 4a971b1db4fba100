import { assert, describe, it } from "@effect/vitest"
import { workerSource } from "../../build/serviceWorker.ts"

const SOURCE = 'const SHELL = __SHELL__\nconst CACHE = "shell-__VERSION__"'

describe("workerSource", () => {
  it("names what is kept, and never the API", () => {
    const source = workerSource(SOURCE, ["/assets/index-1.js"], ["assets/index-1.js"])
    assert.include(source, '"/offline.html"')
    assert.include(source, '"/assets/index-1.js"]')
    assert.notInclude(source, "__")
  })

  it("has another name for its cache whenever a file of the build or the worker itself is another", () => {
    const first = workerSource(SOURCE, [], ["a-1.js", "b-1.js"])
    assert.strictEqual(workerSource(SOURCE, [], ["b-1.js", "a-1.js"]), first)
    assert.notStrictEqual(workerSource(SOURCE, [], ["a-2.js", "b-1.js"]), first)
    assert.notStrictEqual(
      workerSource(`${SOURCE}\n// other`, [], ["a-1.js", "b-1.js"]).split("\n")[1],
      first.split("\n")[1]
    )
  })
})
