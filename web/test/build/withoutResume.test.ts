import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { withShortProperties } from "../../build/shortProperties.ts"
import { leaveOutResume } from "../../build/withoutResume.ts"

const core = readFileSync(
  fileURLToPath(new URL("../../../node_modules/@builder.io/qwik/dist/core.prod.mjs", import.meta.url)),
  "utf8"
)

describe("Qwik's core for a page that is drawn in the browser", () => {
  it("no longer leads to what writes a drawn page down and takes it up again", () => {
    assert.match(core, /[^_]resumeContainer\(containerEl\),/)
    assert.match(core, /=> pauseContainer\(containerEl\)/)
    const left = leaveOutResume(core)
    assert.notMatch(left ?? "resumeContainer(", /resumeContainer\(/)
    assert.notMatch(left ?? "pauseContainer(", /pauseContainer\(/)
  })

  it("is refused if it has no such place", () => {
    assert.isUndefined(leaveOutResume("const resumeIfNeeded = containerEl => {\n};"))
  })
})

describe("the short names of Qwik's private properties", () => {
  it("stand for one property each and leave other names alone", () => {
    const code = "a.$flags$ |= b.$flags$, a.$id$ = component$(c$, $d), e.use$x$y"
    assert.strictEqual(withShortProperties(code), "a.$0 |= b.$0, a.$1 = component$(c$, $d), e.use$x$y")
  })

  it("are one for each of the core's properties, and none that the core has already", () => {
    assert.isNull(core.match(/\.\$[0-9a-z]{1,2}(?![\w$])/))
    const properties = new Set(core.match(/(?<![\w$])\$[A-Za-z]\w*\$(?![\w$])/g))
    assert.isAbove(properties.size, 100)
    const short = new Set(withShortProperties(core).match(/(?<![\w$])\$[0-9a-z]{1,2}(?![\w$])/g))
    assert.strictEqual(short.size, properties.size)
  })
})
