import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { isCompatible, notices, packageFolder } from "../../scripts/licences.ts"

const module = (path: string) => fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url))

describe("licences of what a build holds", () => {
  it("finds the package of a module, also of a nested and a scoped one", () => {
    assert.strictEqual(packageFolder("/a/node_modules/ws/lib/receiver.js"), "/a/node_modules/ws")
    assert.strictEqual(packageFolder("/a/node_modules/@x/y/dist/index.js?commonjs"), "/a/node_modules/@x/y")
    assert.strictEqual(packageFolder("\0/a/node_modules/b/node_modules/c/d.js"), "/a/node_modules/b/node_modules/c")
    assert.isUndefined(packageFolder("/a/src/cli/main.ts"))
    assert.isUndefined(packageFolder("\0lean-http"))
  })

  it("takes what goes with MIT and nothing else", () => {
    for (const license of ["MIT", "ISC", "Apache-2.0", "BSD-3-Clause", "(MPL-2.0 OR Apache-2.0)", "MIT AND ISC"]) {
      assert.isTrue(isCompatible(license), license)
    }
    for (const license of ["GPL-3.0", "MPL-2.0", "MIT AND GPL-2.0", "UNLICENSED", "SEE LICENSE IN FILE", undefined]) {
      assert.isFalse(isCompatible(license), license)
    }
  })

  it("gives each package's text once, by name, and leaves the project's own modules out", () => {
    const text = notices([
      module("ws/lib/websocket.js"),
      module("json5/lib/index.js"),
      module("ws/lib/receiver.js"),
      fileURLToPath(import.meta.url)
    ])
    assert.deepStrictEqual(text.match(/^\S+ \d\S* \(.+\)$/gm), ["json5 2.2.3 (MIT)", "ws 8.23.0 (MIT)"])
    assert.include(text, "Copyright (c) 2011 Einar Otto Stangvik")
  })
})
