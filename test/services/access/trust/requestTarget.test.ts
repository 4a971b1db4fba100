import { assert, it } from "@effect/vitest"
import { isKnownHost, ownOrigins, readTarget } from "../../../../src/services/access/trust/originRules.ts"

const policy = { allowedOrigins: new Set(ownOrigins(3080, 3443)), host: "127.0.0.1", authEnabled: true }
const read = (target: string, host: string | undefined = "127.0.0.1:3080") =>
  readTarget(target, host, (name) => isKnownHost(name, policy))

it("a path is taken as it is", () => {
  for (const path of ["/", "/api/x?y=1", "//api/x", "/%", "/a:b@c"]) {
    assert.deepStrictEqual(read(path), { path, host: undefined })
  }
})

it("a whole address of this console is its path, and names the host", () => {
  assert.deepStrictEqual(read("http://127.0.0.1:3080/api/x?y=/z"), { path: "/api/x?y=/z", host: "127.0.0.1:3080" })
  assert.deepStrictEqual(read("HTTP://LOCALHOST/a"), { path: "/a", host: "LOCALHOST" })
  assert.deepStrictEqual(read("http://127.0.0.1:3080"), { path: "/", host: "127.0.0.1:3080" })
  assert.deepStrictEqual(read("http://127.0.0.1:3080?a=/b"), { path: "/?a=/b", host: "127.0.0.1:3080" })
  assert.deepStrictEqual(read("http://a.example/b", "A.example"), { path: "/b", host: "a.example" })
  // The address wins over the header (RFC 9112), so what is behind sees only one of them.
  assert.deepStrictEqual(read("http://localhost:3080/b", "a.example"), { path: "/b", host: "localhost:3080" })
})

it("anything else has no path", () => {
  for (const target of [
    "",
    "*",
    "*api/kanban/tasks",
    "api/kanban/tasks",
    "?/api/x",
    "\\api\\x",
    "http://%/api/x",
    "http:///api/x",
    "http://",
    "http:/api/x",
    "http:api/x",
    "http://127.0.0.1:99999/api/x",
    "http://127.0.0.1:port/api/x",
    "http://user@127.0.0.1:3080/api/x",
    "http://127.0.0.1:3080\\api\\x",
    "http://127.0.0.1:3080#/api/x",
    "http://127.0.0.1:3080/api/x#y",
    "http://a b/api/x",
    "http://evil.example/api/x",
    "ws://127.0.0.1:3080/ws",
    "file:///etc/passwd",
    "127.0.0.1:3080"
  ]) {
    assert.isUndefined(read(target), target)
  }
  assert.isUndefined(read("http://evil.example/", undefined))
})
