import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { addRecovery, readableCore } from "../../build/qwikInBrowser.ts"

const core = fileURLToPath(new URL("../../../node_modules/@builder.io/qwik/dist/core.prod.mjs", import.meta.url))

describe("Qwik's core", () => {
  it("adds the recovery to the installed core exactly once, after the error is logged", () => {
    const patched = addRecovery(readFileSync(core, "utf8"))
    assert.isDefined(patched)
    assert.strictEqual(patched?.split('"qheal"').length, 2)
    assert.match(patched ?? "", /logError\(err\);\s*containerState\.\$hostsStaging\$/)
  })

  it("refuses a core that has no such place", () => {
    assert.isUndefined(addRecovery("export const render = () => {}"))
  })

  it("replaces the minified core by the readable one and leaves other files alone", () => {
    assert.strictEqual(readableCore("/m/qwik/dist/core.min.mjs"), "/m/qwik/dist/core.prod.mjs")
    assert.strictEqual(readableCore("/m/qwik/dist/preloader.mjs"), "/m/qwik/dist/preloader.mjs")
  })
})
