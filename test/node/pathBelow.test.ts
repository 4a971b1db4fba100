import { assert, it } from "@effect/vitest"
import { pathBelow } from "../../src/node/targetGate.ts"

it.each([
  ["", "/", { path: "/" }],
  ["", "/console", { path: "/console" }],
  ["/console", "/console", { location: "/console/" }],
  ["/console", "/console?a=/b", { location: "/console/?a=/b" }],
  ["/console", "/console/", { path: "/" }],
  ["/console", "/console/api/version?x", { path: "/api/version?x" }],
  ["/console", "/console//evil.test", { path: "//evil.test" }],
  ["/a/b", "/a/b/c", { path: "/c" }],
  ["/a/b", "/a", undefined],
  ["/a/b", "/a/", undefined],
  ["/console", "/", undefined],
  ["/console", "/consoles", undefined],
  ["/console", "/console#", undefined],
  ["/console", "/health", { path: "/health" }],
  ["/console", "/healthz?verbose", { path: "/healthz?verbose" }],
  ["/console", "/readyz", { path: "/readyz" }],
  ["/console", "/readyz/", undefined],
  ["/console", "/healthy", undefined]
])("below %s, %s leads to %o", (base, path, place) => {
  assert.deepStrictEqual(pathBelow(base, path), place)
})
