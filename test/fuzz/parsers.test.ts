import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { parseMarkers } from "../../src/contract/markers/parseMarkers.ts"
import {
  addMemoryItem,
  deleteMemoryItem,
  deleteMemorySection,
  memoryOutline,
  readMemorySection,
  replaceMemorySection
} from "../../src/contract/memory/memoryMarkdown.ts"
import { FrameWalker } from "../../src/http/gateway/proxy/frames/FrameWalker.ts"
import { encodeFrame } from "../../src/http/gateway/proxy/frames/frames.ts"
import { MessageReader } from "../../src/http/gateway/proxy/frames/MessageReader.ts"
import { readConnectRequest, readGatewayFrame } from "../../src/http/gateway/proxy/handshakeRules.ts"
import { readCookies, readSession, signSession } from "../../src/services/access/auth/Auth.ts"
import { decodeSettings } from "../../src/services/platform/settings/decodeSettings.ts"
import { EnvironmentSchema } from "../../src/services/platform/settings/settingsSchema.ts"
import { mergeVariables, parseDotEnv } from "../../src/services/platform/settings/variables.ts"
import { readUsageLine } from "../../src/services/usage/transcripts/readUsageLine.ts"
import { Fuzz, fuzzRounds, fuzzTimeout } from "../support/fuzz.ts"
import { answerLine, recordedLines } from "../support/transcripts.ts"

const VARIABLES = Object.keys(EnvironmentSchema.fields)

const MARKER_PIECES = [
  "[tts: hello]",
  "[tts:",
  '[chart:{"type":"bar","data":{"labels":["a"],"values":[1]}}]',
  "[chart:{",
  '[kanban:create]{"title":"x"}[/kanban:create]',
  "[kanban:create]",
  "[/kanban:create]",
  '[kanban:update]{"id":"1"}[/kanban:update]',
  "[",
  "]",
  "{",
  "}",
  '"',
  "\\",
  "text "
] as const

const MEMORY_PIECES = [
  "# T\n",
  "## S\n",
  "- a\n",
  "* b\r\n",
  "  - c\n",
  "```\n",
  "S\n---\n",
  "\n",
  "\r",
  "text",
  "<!-- ",
  "-->"
] as const

const soup = (fuzz: Fuzz, pieces: readonly [string, ...ReadonlyArray<string>], most: number): string =>
  Array.from({ length: fuzz.below(most) }, () =>
    fuzz.chance(0.85) ? fuzz.pick(pieces) : fuzz.text().slice(0, 200)
  ).join("")

describe("made-up input", { timeout: fuzzTimeout(15_000) }, () => {
  it("markers: never throw, and what is shown is never longer than what was said", () => {
    const fuzz = new Fuzz()
    for (let round = 0; round < fuzzRounds(400); round += 1) {
      const text = soup(fuzz, MARKER_PIECES, 30)
      for (const streaming of [false, true]) {
        const parsed = parseMarkers(text, streaming)
        assert.isAtMost(JSON.stringify(parsed).length, 20 * (text.length + 100), JSON.stringify(text))
      }
    }
  })

  it("memory: any file can be read and edited, and an edit never touches bytes outside of it", () => {
    const fuzz = new Fuzz()
    for (let round = 0; round < fuzzRounds(400); round += 1) {
      const file = soup(fuzz, MEMORY_PIECES, 25)
      const outline = memoryOutline(file)
      const title = fuzz.chance(0.7)
        ? (outline.find(({ type }) => type === "section")?.text ?? "S")
        : fuzz.text().slice(0, 150)
      const added = addMemoryItem(file, title, fuzz.text().slice(0, 500))
      if (added !== undefined) assert.isAtLeast(added.length, file.length, JSON.stringify([file, title]))
      const item = outline.find(({ type }) => type === "item")?.text ?? fuzz.text()
      const { file: less, deleted } = deleteMemoryItem(file, item)
      assert.isAtMost(less.length, file.length)
      if (deleted === 0) assert.strictEqual(less, file)
      assert.isAtMost(deleteMemorySection(file, title)?.length ?? 0, file.length)
      const content = readMemorySection(file, title)
      if (content !== undefined)
        assert.include(file.replace(/\r\n?/g, "\n"), content.replace(/\r\n?/g, "\n").trim().slice(0, 3))
      replaceMemorySection(file, title, fuzz.text())
    }
  })

  it("transcripts: a damaged line counts as a usage of whole numbers or as none", () => {
    const fuzz = new Fuzz()
    const lines = [...recordedLines, answerLine({ text: "x".repeat(500) })]
    for (let round = 0; round < fuzzRounds(1000); round += 1) {
      const mutated = Buffer.from(fuzz.mutate(lines[fuzz.below(lines.length)] ?? ""))
      const line = fuzz.chance(0.2)
        ? Buffer.concat([mutated.subarray(0, fuzz.below(mutated.length)), fuzz.bytes(30)])
        : mutated
      const usage = readUsageLine(line, 0, line.length)
      if (usage === undefined) continue
      for (const name of ["input", "output", "cacheRead", "cacheWrite", "nanoDollars"] as const) {
        assert.isTrue(Number.isInteger(usage[name]) && usage[name] >= 0, line.toString("latin1"))
      }
      assert.match(usage.day, /^\d{4}-\d\d-\d\d$/)
    }
  })

  it("cookies: only the value that was signed opens the door", () => {
    const fuzz = new Fuzz()
    const secret = Buffer.alloc(32, 1)
    const genuine = signSession(4_000_000_000_000, secret)
    for (let round = 0; round < fuzzRounds(1000); round += 1) {
      const value = fuzz.chance(0.6) ? fuzz.mutate(genuine) : fuzz.text()
      const header = `${fuzz.text().slice(0, 50)};svc_session_3080=${value}; ${fuzz.text().slice(0, 50)}`
      for (const token of readCookies(header, "svc_session_3080")) {
        if (token !== genuine) assert.isUndefined(readSession(token, secret), token)
      }
    }
    assert.strictEqual(readSession(genuine, secret), 4_000_000_000_000)
  })

  it(".env: any file is settings or a sentence about a variable", () => {
    const fuzz = new Fuzz()
    const base = { homeDir: "/home/x", installDir: "/install", webRoot: "/web" }
    for (let round = 0; round < fuzzRounds(400); round += 1) {
      const text = Array.from({ length: fuzz.below(12) }, () => {
        const name = fuzz.chance(0.8) ? (VARIABLES[fuzz.below(VARIABLES.length)] ?? "PORT") : fuzz.text()
        return `${fuzz.chance(0.2) ? "export " : ""}${name}${fuzz.pick(["=", " = ", ""])}${fuzz.pick(["", '"', "'", "`"])}${fuzz.text()}`
      }).join("\n")
      const settings = decodeSettings(mergeVariables([parseDotEnv(text)]), base)
      if (Result.isFailure(settings)) assert.match(settings.failure.message, /^[A-Z_]+\b/, text)
    }
  })

  it("frames of the proxy: every byte passes or is held back, whatever it is", () => {
    const fuzz = new Fuzz()
    for (let round = 0; round < fuzzRounds(400); round += 1) {
      const frames = Array.from({ length: fuzz.below(6) }, () => {
        const frame = encodeFrame(
          fuzz.below(16),
          fuzz.bytes(300),
          fuzz.chance(0.5) ? fuzz.bytes(5).subarray(0, 4) : undefined
        )
        if (fuzz.chance(0.4)) frame[fuzz.below(frame.length)] = fuzz.below(256)
        return frame
      })
      const bytes = Buffer.concat([...frames, fuzz.bytes(20)])
      const walker = new FrameWalker(100_000)
      const reader = new MessageReader(100_000)
      let carry: Buffer = Buffer.alloc(0)
      let passed = 0
      for (let at = 0; at < bytes.length && !walker.oversized; ) {
        const size = 1 + fuzz.below(80)
        const chunk = Buffer.concat([carry, bytes.subarray(at, at + size)])
        at += size
        const whole = walker.walk(chunk)
        assert.isTrue(whole >= 0 && whole <= chunk.length)
        carry = chunk.subarray(whole)
        passed += whole
        assert.isTrue(walker.oversized || carry.length < 14)
      }
      if (!walker.oversized) assert.strictEqual(passed + carry.length, bytes.length)
      reader.push(bytes)
      let taken = 0
      for (let frame = reader.next(); frame !== undefined && frame._tag !== "opaque"; frame = reader.next())
        taken += frame.raw.length
      assert.strictEqual(taken + reader.rest().length, bytes.length)
    }
  })

  it("messages of a handshake: any text is some frame or none", () => {
    const fuzz = new Fuzz()
    const samples = [
      JSON.stringify({ type: "event", event: "connect.challenge", payload: { nonce: "n", ts: 1 } }),
      JSON.stringify({
        type: "res",
        id: "1",
        ok: false,
        error: { code: "X", details: { code: "Y" }, retryable: true }
      }),
      JSON.stringify({ type: "req", id: "1", method: "connect", params: { client: { id: "a" }, auth: {}, scopes: [] } })
    ]
    for (let round = 0; round < fuzzRounds(1000); round += 1) {
      const text = fuzz.chance(0.7)
        ? fuzz.mutate(samples[fuzz.below(samples.length)] ?? "")
        : JSON.stringify(fuzz.json())
      assert.include(["challenge", "accepted", "refused", "other"], readGatewayFrame(text)._tag)
      readConnectRequest(text)
    }
  })
})
