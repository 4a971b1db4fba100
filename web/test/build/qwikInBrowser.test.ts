import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { changedCore } from "../../build/qwikCore.ts"
import { readableCore } from "../../build/qwikInBrowser.ts"

const core = fileURLToPath(new URL("../../../node_modules/@builder.io/qwik/dist/core.prod.mjs", import.meta.url))

describe("Qwik's core", () => {
  const changed = changedCore(readFileSync(core, "utf8"))
  const code = "code" in changed ? changed.code : ""

  it("adds the recovery to the installed core exactly once, after the error is logged", () => {
    assert.strictEqual(code.split('"qheal"').length, 2)
    assert.match(code, /logError\(err\);\s*containerState\.\$hostsStaging\$/)
  })

  it("marks what is removed before it is cleaned up, and updates nothing that is marked", () => {
    assert.match(code, /removedNodes\.add\(elm\);\s*if \(subsManager\.\$clearSub\$\(elm\), isQwikElement\(elm\)\)/)
    assert.match(code, /executeSignalOperation = \(rCtx, operation\) => \{\s*if \(removedNodes\.has\(operation/)
  })

  it("makes a component's template when something is put into it", () => {
    assert.match(code, /get \$template\$\(\) \{\s*return this\.\$held\$ \?\?= createElement\(this\.ownerDocument/)
    assert.notMatch(code, /this\.\$template\$ = createElement/)
  })

  it("refuses a core that lacks a place to change", () => {
    assert.deepStrictEqual(changedCore("export const render = () => {}"), { missing: "the last catch of renderMarked" })
  })

  it("replaces the minified core by the readable one and leaves other files alone", () => {
    assert.strictEqual(readableCore("/m/qwik/dist/core.min.mjs"), "/m/qwik/dist/core.prod.mjs")
    assert.strictEqual(readableCore("/m/qwik/dist/preloader.mjs"), "/m/qwik/dist/preloader.mjs")
  })
})
