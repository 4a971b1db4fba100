import { assert, it } from "@effect/vitest"
import { isRedirect, redirectTarget } from "../../../../src/services/platform/outgoing/OutgoingHttp.ts"

it("a status that says where to ask instead is a redirect; one that answers a condition isn't", () => {
  for (const status of [301, 302, 303, 307, 308]) assert.isTrue(isRedirect(status), String(status))
  for (const status of [200, 204, 206, 304, 400, 404, 416, 500]) assert.isFalse(isRedirect(status), String(status))
})

it.each([
  ["https://hub.example/a", "https://cdn.example/b", "https://cdn.example/b"],
  ["https://hub.example/a", "/b?c", "https://hub.example/b?c"],
  ["https://hub.example/a", "//cdn.example/b", "https://cdn.example/b"],
  ["http://mirror.example:8000/a", "b", "http://mirror.example:8000/b"],
  ["http://mirror.example/a", "https://mirror.example/a", "https://mirror.example/a"]
])("a download at %s may go on to %s", (asked, location, target) => {
  assert.strictEqual(redirectTarget(asked, location), target)
})

it.each([
  ["https://hub.example/a", undefined],
  ["https://hub.example/a", "http://hub.example/a"],
  ["https://hub.example/a", "http://127.0.0.1:18789/"],
  ["http://mirror.example/a", "http://other.example/a"],
  ["http://mirror.example/a", "http://mirror.example:81/a"],
  ["https://hub.example/a", "file:///etc/passwd"],
  ["https://hub.example/a", "https://user:secret@cdn.example/b"],
  ["https://hub.example/a", "https://%/"]
])("a download at %s may not go on to %s", (asked, location) => {
  assert.isUndefined(redirectTarget(asked, location))
})
