import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { uploads } from "../../../src/core/composer/draftFiles.ts"
import { cancelUpload, startUpload } from "../../../src/core/composer/sendFile.ts"
import { uploadFile } from "../../../src/knowledge/useUploads.ts"

/** The response to every upload; status 0 means none. */
let answer: { readonly status: number; readonly text: string }

class Request {
  readonly upload = {}
  status = 0
  responseText = ""
  onload = () => {}
  onerror = () => {}
  open() {}
  setRequestHeader() {}
  abort() {}
  getResponseHeader() {
    return null
  }
  send() {
    queueMicrotask(() => {
      this.status = answer.status
      this.responseText = answer.text
      if (answer.status === 0) this.onerror()
      else this.onload()
    })
  }
}

beforeEach(() => {
  vi.stubGlobal("XMLHttpRequest", Request)
})
afterEach(() => {
  for (const { id } of uploads.get()) cancelUpload(id)
  vi.unstubAllGlobals()
})

const file = new File(["x"], "large.bin")

const toMessage = async (): Promise<string | null> => {
  startUpload("agent:main:main", file)
  await vi.waitFor(() => assert.isTrue(uploads.get().every(({ done, error }) => done !== null || error !== null)))
  return uploads.get().at(-1)?.error ?? null
}
const toFolder = async (): Promise<string | null> => {
  const target = { agent: null, folder: "", name: "large.bin", replace: false }
  const outcome = await uploadFile(target, file, () => {})
  return outcome.ok ? null : outcome.message
}

const PROXY = /^A proxy between this browser and the console refused this because of its size/
const BETWEEN = /^Something between this browser and the console answers in its place/

describe.each([
  ["with a message", toMessage, { status: 201, text: '{"path":"uploads/large.bin","size":1}' }, /at most 100 MB/],
  ["into a folder", toFolder, { status: 200, text: '{"path":"large.bin"}' }, /larger than 12 MB/]
] as const)("a file that's sent %s", (_where, send, taken, ownLimit) => {
  it("is there once the console says so", async () => {
    answer = taken
    assert.isNull(await send())
  })

  it.each([
    ["the console", 413, '{"error":"Request body too large"}', ownLimit],
    ["a proxy", 413, "<html><h1>413 Request Entity Too Large</h1></html>", PROXY],
    ["a proxy without a word", 413, "", PROXY],
    ["a sign-in page", 200, "<!doctype html>Sign in", BETWEEN],
    ["a proxy's own sign-in", 401, "<h1>Unauthorized</h1>", BETWEEN],
    ["a proxy that doesn't reach the console", 502, "<h1>Bad Gateway</h1>", /^Can't reach the console's server/],
    ["a name that's taken, in somebody else's words", 409, "<h1>Conflict</h1>", BETWEEN],
    ["the console that wants a sign-in", 401, '{"error":"Authentication required"}', /sign in again/],
    ["nobody", 0, "", /Check your connection/]
  ])("is refused by %s, and that's told", async (_who, status, text, sentence) => {
    answer = { status, text }
    assert.match((await send()) ?? "", sentence)
  })
})
