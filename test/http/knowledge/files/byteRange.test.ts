import { assert, it } from "@effect/vitest"
import { attachment, parseByteRange } from "../../../../src/http/knowledge/files/fileResponse.ts"

it("byteRange: one range of what there is, the whole for anything else (RFC 9110 §14)", () => {
  const of100 = (header: string | undefined) => parseByteRange(header, 100)
  assert.deepStrictEqual(of100("bytes=0-9"), { start: 0, end: 10 })
  assert.deepStrictEqual(of100("bytes=90-"), { start: 90, end: 100 })
  assert.deepStrictEqual(of100("bytes=90-1000"), { start: 90, end: 100 })
  assert.deepStrictEqual(of100("bytes=-10"), { start: 90, end: 100 })
  assert.deepStrictEqual(of100("bytes=-1000"), { start: 0, end: 100 })
  assert.deepStrictEqual(of100("bytes = 5 - 5"), { start: 5, end: 6 })
  for (const header of [undefined, "", "bytes=", "bytes=-", "bytes=9-5", "bytes=a-b", "bytes=0-1,3-4", "lines=0-1"]) {
    assert.isUndefined(of100(header), String(header))
  }
  for (const header of ["bytes=100-", "bytes=100-200", "bytes=-0"]) {
    assert.strictEqual(of100(header), "unsatisfiable", header)
  }
  assert.strictEqual(parseByteRange("bytes=0-", 0), "unsatisfiable")
})

it("attachment: no name breaks out of the header", () => {
  assert.strictEqual(attachment("a b.txt"), "attachment; filename=\"a b.txt\"; filename*=UTF-8''a%20b.txt")
  assert.strictEqual(
    attachment('a"; x=\r\n\\é'),
    "attachment; filename=\"a__ x=____\"; filename*=UTF-8''a%22%3B%20x%3D%0D%0A%5C%C3%A9"
  )
})
