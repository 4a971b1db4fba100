import { assert, it } from "@effect/vitest"
import { acceptedCodings, matchesEtag } from "../../../../src/http/platform/static/contentNegotiation.ts"

it("codings are taken as the client weighs them, br before gzip when it does not", () => {
  assert.deepStrictEqual(acceptedCodings("gzip, deflate, br, zstd"), ["br", "gzip"])
  assert.deepStrictEqual(acceptedCodings("br;q=0.5, gzip;q=0.8"), ["gzip", "br"])
  assert.deepStrictEqual(acceptedCodings("br;q=0, *"), ["gzip"])
  assert.deepStrictEqual(acceptedCodings("GZIP"), ["gzip"])
  assert.deepStrictEqual(acceptedCodings("identity"), [])
  assert.deepStrictEqual(acceptedCodings("br;q=x"), [])
  assert.deepStrictEqual(acceptedCodings(undefined), [])
})

it("entity tags compare weakly, in lists and against the star", () => {
  assert.isTrue(matchesEtag('"a"', '"a"'))
  assert.isTrue(matchesEtag('"b", W/"a"', '"a"'))
  assert.isTrue(matchesEtag(" * ", '"a"'))
  assert.isFalse(matchesEtag('"ab"', '"a"'))
  assert.isFalse(matchesEtag(undefined, '"a"'))
})
