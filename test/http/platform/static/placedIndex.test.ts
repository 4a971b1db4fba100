import { readFileSync } from "node:fs"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { assert, it } from "@effect/vitest"
import { Option } from "effect"
import { placedIndex } from "../../../../src/http/platform/static/placedIndex.ts"

const INDEX = readFileSync(new URL("../../../../web/index.html", import.meta.url))

it("every address in the page's index gets the base path in front, in all codings alike", () => {
  const { br, content, gzip } = placedIndex(INDEX, "/a/b")
  const text = content.toString("utf8")
  const addresses = Array.from(text.matchAll(/\b(?:href|src)="([^"]*)"/g), ([, address = ""]) => address)
  assert.isAbove(addresses.length, 5)
  for (const address of addresses) assert.match(address, /^\/a\/b\/[^/]/)
  assert.strictEqual(text.replaceAll("/a/b/", "/"), INDEX.toString("utf8"))
  assert.strictEqual(brotliDecompressSync(Option.getOrThrow(br)).toString("utf8"), text)
  assert.strictEqual(gunzipSync(Option.getOrThrow(gzip)).toString("utf8"), text)
})

it("addresses of other hosts and relative ones stay", () => {
  const text = `<a href="//other.test/"></a><a href="https://other.test/"></a><a href="?"></a><img src="x.svg">`
  assert.strictEqual(placedIndex(Buffer.from(text), "/a").content.toString("utf8"), text)
})
