import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  fileNameOf,
  InboundName,
  inboundPath,
  MediaId,
  MediaSession,
  mediaTypeOf,
  outgoingPath
} from "../../../../src/services/gateway/media/mediaRules.ts"

const ID = "6af5d6b9-f7ad-4d2d-a9c7-821093e5fc54"

describe("addresses of the gateway's files", () => {
  it("are made of a session's key and an id", () => {
    const isSession = Schema.is(MediaSession)
    for (const key of ["agent:main:main", "agent:main:a/b", "ä ö", "...", "a%2e"]) assert.isTrue(isSession(key), key)
    for (const key of ["", ".", "..", "a\nb", "a\0b", "\ud800", "x".repeat(1001)]) assert.isFalse(isSession(key), key)
    const isId = Schema.is(MediaId)
    assert.isTrue(isId(ID))
    for (const id of ["", "..", ID.toUpperCase(), `${ID}/..`, `${ID}\n`, ID.slice(1)]) assert.isFalse(isId(id), id)
    assert.strictEqual(
      outgoingPath("agent:main:a/../b", ID),
      `/api/chat/media/outgoing/agent%3Amain%3Aa%2F..%2Fb/${ID}/full`
    )
  })

  it("are made of a name without folders", () => {
    const isName = Schema.is(InboundName)
    for (const name of ["a.png", "3e112dd3.png", "a b&c=d?#%.png", "....png"]) assert.isTrue(isName(name), name)
    for (const name of ["", ".", "..", "a/b", "a\\b", "../a", "a\0", "x".repeat(256)])
      assert.isFalse(isName(name), name)
    const url = new URL(inboundPath("a b&c=d?#%.png"), "http://gateway")
    assert.deepStrictEqual([...url.searchParams], [["source", "media://inbound/a%20b%26c%3Dd%3F%23%25.png"]])
  })
})

describe("types of files", () => {
  it("are those of pictures, recordings and PDFs, without their parameters", () => {
    assert.strictEqual(mediaTypeOf("Image/PNG; charset=binary"), "image/png")
    assert.strictEqual(mediaTypeOf("audio/x-wav"), "audio/x-wav")
    assert.strictEqual(mediaTypeOf("application/pdf"), "application/pdf")
    for (const type of [
      undefined,
      "",
      "text/html",
      "image/png, text/html",
      "application/pdf+xml",
      "image/tiff",
      "audio/"
    ])
      assert.isUndefined(mediaTypeOf(type), String(type))
  })
})

describe("names of files", () => {
  it("come from the header, the coded one first", () => {
    assert.strictEqual(fileNameOf(`inline; filename="red.png"; filename*=UTF-8''r%C3%A9d.png`), "réd.png")
    assert.strictEqual(fileNameOf(`inline; filename="red.png"`), "red.png")
    assert.strictEqual(fileNameOf(`inline; filename="red.png"; filename*=UTF-8''%zz`), "red.png")
    assert.strictEqual(fileNameOf(`attachment; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd`), "passwd")
    for (const header of [undefined, "", "inline", `attachment; filename*=UTF-8''a%0Ab`])
      assert.isUndefined(fileNameOf(header))
  })
})
