import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryFolder } from "../../../support/fileServices.ts"
import { makeApp } from "../../../support/makeApp.ts"
import { TRAVERSAL_SPELLINGS } from "../../../support/traversalSpellings.ts"

const SESSION = "3e14aea5-d3f1-4ae9-8219-858953582374"
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

const line = (id: string, content: ReadonlyArray<unknown>, role = "user") =>
  JSON.stringify({
    type: "message",
    id,
    parentId: "4961cf9b",
    timestamp: "2026-11-22T14:05:52.585Z",
    message: { role, content, timestamp: 1795356352585 }
  })

const image = (data: string, mimeType = "image/png") => ({ type: "image", data, mimeType })

const LINES = [
  JSON.stringify({ type: "session", version: 3, id: SESSION, timestamp: "2026-11-22T14:05:52.000Z" }),
  line("a1b2c3d4", [
    { type: "text", text: 'What is this? "id":"ffffffff"' },
    image(PIXEL),
    image("QUJD", "image/jpeg")
  ]),
  line("b1b2c3d4", [{ type: "text", text: "an answer" }, image(PIXEL)], "assistant"),
  line("c1b2c3d4", [image(PIXEL, "text/html"), image("not base64!"), image(PIXEL, "application/pdf")]),
  `{"type":"message","id":"d1b2c3d4","message":{"role":"user","content":[`
]

const historyApp = Effect.fnUntraced(function* () {
  const gatewayHome = yield* temporaryFolder
  const folder = join(gatewayHome, "agents/main/sessions")
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${SESSION}.jsonl`), `${LINES.join("\n")}\n`)
  writeFileSync(join(gatewayHome, "secret.jsonl"), LINES.join("\n"))
  const app = yield* makeApp({ settings: { gatewayHome } })
  const get = (place: string) => app.request(`/api/gateway/media/message/${place}`)
  return { ...app, gatewayHome, folder, get }
})

describe("pictures in transcripts", () => {
  it.effect("are served by message and place", () =>
    Effect.gen(function* () {
      const app = yield* historyApp()
      const first = yield* app.get(`main/${SESSION}/a1b2c3d4/0`)
      assert.strictEqual(first.status, 200)
      assert.strictEqual(first.headers.get("content-type"), "image/png")
      assert.strictEqual(first.headers.get("x-content-type-options"), "nosniff")
      assert.include(first.headers.get("content-security-policy") ?? "", "sandbox")
      assert.include(first.headers.get("cache-control") ?? "", "private, max-age=3600")
      const bytes = yield* Effect.promise(() => first.arrayBuffer())
      assert.strictEqual(Buffer.from(bytes).toString("base64"), PIXEL)
      const second = yield* app.get(`main/${SESSION}/a1b2c3d4/1`)
      assert.strictEqual(second.headers.get("content-type"), "image/jpeg")
      assert.strictEqual(yield* Effect.promise(() => second.text()), "ABC")
    })
  )

  it.effect("are pictures of people, and no other content", () =>
    Effect.gen(function* () {
      const app = yield* historyApp()
      for (const place of [
        "a1b2c3d4/2",
        "b1b2c3d4/0",
        "c1b2c3d4/0",
        "c1b2c3d4/1",
        "d1b2c3d4/0",
        "ffffffff/0",
        "4961cf9b/0"
      ])
        assert.strictEqual((yield* app.get(`main/${SESSION}/${place}`)).status, 404, place)
      assert.strictEqual((yield* app.get(`helper/${SESSION}/a1b2c3d4/0`)).status, 404)
      assert.strictEqual((yield* app.get(`main/00000000/a1b2c3d4/0`)).status, 404)
    })
  )

  it.effect("are looked for in the sessions' folder only", () =>
    Effect.gen(function* () {
      const app = yield* historyApp()
      const outside = yield* Effect.acquireRelease(
        Effect.sync(() => {
          const folder = join(homedir(), `.agent-console-test-${process.pid}`)
          mkdirSync(folder)
          writeFileSync(join(folder, "key.jsonl"), LINES.join("\n"))
          return folder
        }),
        (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
      )
      symlinkSync(join(outside, "key.jsonl"), join(app.folder, "linked.jsonl"))
      assert.strictEqual((yield* app.get("main/linked/a1b2c3d4/0")).status, 400)
      for (const spelling of [...TRAVERSAL_SPELLINGS, "../../../secret"]) {
        const part = encodeURIComponent(spelling.toWellFormed())
        for (const place of [`${part}/${SESSION}/a1b2c3d4/0`, `main/${part}/a1b2c3d4/0`, `main/${SESSION}/${part}/0`])
          assert.oneOf((yield* app.get(place)).status, [400, 404], place)
      }
      for (const index of ["-1", "1.5", "x", "", "100", "1e9", "%00"])
        assert.oneOf((yield* app.get(`main/${SESSION}/a1b2c3d4/${index}`)).status, [400, 404], index)
    })
  )
})
