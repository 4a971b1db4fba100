import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { MAX_UPLOADED_FILE } from "../../../../src/contract/limits.ts"
import { makeKnowledgeApp } from "../../../support/knowledgeApp.ts"

const DAY = "2026-03-01"

/** Pieces of a file that come one after the other. */
interface Pieces extends RequestInit {
  readonly duplex: "half"
}

const inPieces = (body: ReadableStream<Uint8Array>): Pieces => ({ body, duplex: "half" })

const uploadTo = (app: Effect.Success<ReturnType<typeof makeKnowledgeApp>>) =>
  Effect.fnUntraced(function* (
    name: string,
    bytes: string | Uint8Array<ArrayBuffer>,
    more = "",
    init: RequestInit = {}
  ) {
    const response = yield* app.request(`/api/uploads?name=${encodeURIComponent(name)}${more}`, {
      method: "POST",
      body: bytes,
      headers: { "content-type": "application/octet-stream" },
      ...init
    })
    const text = yield* Effect.promise(() => response.text())
    return { status: response.status, body: text.startsWith("{") ? JSON.parse(text) : text }
  })

const makeWorkspace = Effect.fnUntraced(function* () {
  yield* TestClock.setTime(Date.UTC(2026, 2, 1, 23, 59))
  const app = yield* makeKnowledgeApp({
    agents: ({ gatewayHome }) => [{ id: "helper", workspace: `${gatewayHome}/workspace-helper` }]
  })
  const workspace = join(app.settings.gatewayHome, "workspace")
  mkdirSync(workspace, { recursive: true })
  const upload = uploadTo(app)
  const inFolder = (day = DAY) => {
    const at = join(workspace, "uploads", day)
    return existsSync(at) ? readdirSync(at).sort() : []
  }
  return { ...app, workspace, upload, inFolder }
})

describe("a file for an agent", () => {
  it.effect("is kept with all its bytes, for its owner's eyes only, and its place is the answer", () =>
    Effect.gen(function* () {
      const { upload, workspace } = yield* makeWorkspace()
      const bytes = new Uint8Array(300_000).map((_, index) => index % 251)
      const made = yield* upload("données 🦀.bin", bytes)
      const path = `uploads/${DAY}/données 🦀.bin`
      assert.deepStrictEqual(made, { status: 201, body: { ok: true, path, size: 300_000 } })
      assert.deepStrictEqual(new Uint8Array(readFileSync(join(workspace, path))), bytes)
      assert.strictEqual(statSync(join(workspace, path)).mode & 0o777, 0o600)
      assert.strictEqual(statSync(join(workspace, "uploads")).mode & 0o777, 0o700)
    }).pipe(Effect.scoped)
  )

  it.effect("never replaces another, however many of its name arrive at the same moment", () =>
    Effect.gen(function* () {
      const { inFolder, upload, workspace } = yield* makeWorkspace()
      const made = yield* Effect.forEach(
        Array.from({ length: 12 }, (_, index) => index),
        (index) => upload("report.pdf", `number ${index}`),
        { concurrency: "unbounded" }
      )
      const paths = made.map(({ body }) => body.path)
      assert.strictEqual(new Set(paths).size, 12)
      assert.strictEqual(inFolder().length, 12)
      for (const [index, path] of paths.entries())
        assert.strictEqual(readFileSync(join(workspace, path), "utf8"), `number ${index}`)
      assert.include(paths, `uploads/${DAY}/report.pdf`)
      assert.include(paths, `uploads/${DAY}/report-12.pdf`)
    }).pipe(Effect.scoped)
  )

  it.effect("goes to the agent it's for, whose workspace is made with it", () =>
    Effect.gen(function* () {
      const { inFolder, settings, upload } = yield* makeWorkspace()
      const made = yield* upload("a.bin", "bytes", "&agent=helper")
      assert.strictEqual(made.status, 201)
      assert.isTrue(existsSync(join(settings.gatewayHome, "workspace-helper", made.body.path)))
      assert.deepStrictEqual(inFolder(), [])
      assert.strictEqual((yield* upload("a.bin", "bytes", "&agent=nobody")).status, 404)
    }).pipe(Effect.scoped)
  )

  it.effect("may be empty, may come in pieces and with any type", () =>
    Effect.gen(function* () {
      const { upload } = yield* makeWorkspace()
      assert.strictEqual((yield* upload("empty", "")).body.size, 0)
      const pieces = new ReadableStream<Uint8Array>({
        start: (controller) => {
          for (const text of ["one ", "two ", "three"]) controller.enqueue(new TextEncoder().encode(text))
          controller.close()
        }
      })
      assert.strictEqual((yield* upload("pieces", "", "", inPieces(pieces))).body.size, 13)
      const json = { headers: { "content-type": "application/json" } }
      assert.strictEqual((yield* upload("null.json", "null", "", json)).body.size, 4)
    }).pipe(Effect.scoped)
  )

  it.effect("has a name that leads nowhere else, or is refused", () =>
    Effect.gen(function* () {
      const { folder, inFolder, upload } = yield* makeWorkspace()
      const before = readdirSync(folder)
      const taken = [
        "../../escape.txt",
        "..\\..\\x.txt",
        "/etc/passwd",
        "__proto__",
        "constructor",
        "CON",
        "a\u202Etxt.exe",
        "..",
        "%2e%2e%2f"
      ]
      for (const name of taken) {
        const { body, status } = yield* upload(name, "x")
        assert.strictEqual(status, 201, name)
        assert.match(body.path, new RegExp(`^uploads/${DAY}/[^/\\\\]+$`))
      }
      assert.strictEqual(inFolder().length, taken.length)
      assert.deepStrictEqual(readdirSync(folder), before)
      for (const name of ["", "   ", "a\0b", "x".repeat(10_240)])
        assert.strictEqual((yield* upload(name, "x")).status, 400, JSON.stringify(name.slice(0, 5)))
      assert.strictEqual(inFolder().length, taken.length)
    }).pipe(Effect.scoped)
  )

  it.effect("doesn't follow a link out of the workspace", () =>
    Effect.gen(function* () {
      const { folder, upload, workspace } = yield* makeWorkspace()
      mkdirSync(join(folder, "outside"))
      symlinkSync(join(folder, "outside"), join(workspace, "uploads"))
      assert.strictEqual((yield* upload("a.bin", "bytes")).status, 400)
      assert.deepStrictEqual(readdirSync(join(folder, "outside")), [])
    }).pipe(Effect.scoped)
  )
})

describe("a file that isn't kept", () => {
  it.effect("is too large by what it says, or found to be while it's read, and leaves nothing", () =>
    Effect.gen(function* () {
      const { inFolder, upload } = yield* makeWorkspace()
      const piece = new Uint8Array(4_000_000)
      const said = yield* upload("huge", "x", "", { headers: { "content-length": String(MAX_UPLOADED_FILE + 1) } })
      assert.strictEqual(said.status, 413)
      let left = MAX_UPLOADED_FILE / piece.length + 1
      const pieces = new ReadableStream<Uint8Array>({
        pull: (controller) => (left-- > 0 ? controller.enqueue(piece) : controller.close())
      })
      const found = yield* upload("huge", "", "", inPieces(pieces))
      assert.deepStrictEqual([found.status, found.body.error], [413, "file_too_large"])
      assert.strictEqual(found.body.details, "a file can have at most 100 MB")
      assert.deepStrictEqual(inFolder(), [])
    }).pipe(Effect.scoped)
  )

  it.effect("breaks off, and leaves nothing", () =>
    Effect.gen(function* () {
      const { inFolder, upload } = yield* makeWorkspace()
      const pieces = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(new Uint8Array(100_000)),
        pull: (controller) => controller.error(new Error("gone"))
      })
      const { status } = yield* upload("half", "", "", inPieces(pieces))
      assert.strictEqual(status, 400)
      assert.deepStrictEqual(inFolder(), [])
    }).pipe(Effect.scoped)
  )

  it.effect("finds no room, until something is deleted; what a killed console left behind goes by itself", () =>
    Effect.gen(function* () {
      const { inFolder, upload, workspace } = yield* makeWorkspace()
      const old = join(workspace, "uploads", "2026-02-01")
      mkdirSync(old, { recursive: true })
      // Files with holes, which take no room on the disk.
      writeFileSync(join(old, "large"), "")
      truncateSync(join(old, "large"), 2_000_000_000)
      const left = join(old, ".upload.0123456789ab.tmp")
      writeFileSync(left, "half")
      utimesSync(left, new Date("2026-02-01"), new Date("2026-02-01"))
      const full = yield* upload("a.bin", "x")
      assert.deepStrictEqual([full.status, full.body.error], [409, "uploads_full"])
      assert.isFalse(existsSync(left))
      assert.deepStrictEqual(inFolder(), [])
      truncateSync(join(old, "large"), 1_000)
      assert.strictEqual((yield* upload("a.bin", "x")).status, 201)
    }).pipe(Effect.scoped)
  )

  it.effect("has nowhere to go where the workspace isn't on this machine, and a sentence says what to do", () =>
    Effect.gen(function* () {
      const app = yield* makeKnowledgeApp()
      const upload = uploadTo(app)
      const { body, status } = yield* upload("a.bin", "x")
      assert.deepStrictEqual([status, body.error], [404, "not_found"])
      assert.include(body.details, "GATEWAY_HOME")
      const elsewhere = yield* upload("a.bin", "x", "&gateway=work")
      assert.strictEqual(elsewhere.status, 403)
      assert.include(elsewhere.body.details, "another gateway's machine")
    }).pipe(Effect.scoped)
  )

  it.effect("comes from another site", () =>
    Effect.gen(function* () {
      const { inFolder, upload } = yield* makeWorkspace()
      const headers = { origin: "https://evil.example", "content-type": "application/octet-stream" }
      assert.strictEqual((yield* upload("a.bin", "x", "", { headers })).status, 403)
      assert.deepStrictEqual(inFolder(), [])
    }).pipe(Effect.scoped)
  )
})
