import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { LANGUAGES } from "../../../../src/contract/schema/voice.ts"
import { makeVoiceApp } from "../../../support/voiceApp.ts"

const SETS = ["stopPhrases", "cancelPhrases", "wakePhrases"]

describe("/api/voice-phrases", () => {
  it.effect("has phrases of its own for every language", () =>
    Effect.gen(function* () {
      const app = yield* makeVoiceApp()
      for (const lang of LANGUAGES) {
        const { body } = yield* app.send("GET", `/api/voice-phrases/${lang}`)
        assert.strictEqual(body.source, "defaults")
        for (const name of SETS) assert.isAbove(body[name].length, 2, `${lang} ${name}`)
      }
      const status = yield* app.send("GET", "/api/voice-phrases/status")
      assert.deepStrictEqual(
        status.body,
        Object.fromEntries(LANGUAGES.map((lang) => [lang, { configured: false, hasDefaults: true }]))
      )
    })
  )

  it.effect("merges the language with English, nothing twice; a language nobody knows is English alone", () =>
    Effect.gen(function* () {
      const app = yield* makeVoiceApp({ language: "de" })
      const english = (yield* app.send("GET", "/api/voice-phrases/en")).body
      const german = (yield* app.send("GET", "/api/voice-phrases/de")).body
      const merged = (yield* app.send("GET", "/api/voice-phrases")).body
      assert.deepStrictEqual(Object.keys(merged).sort(), SETS.toSorted())
      assert.deepStrictEqual(merged.stopPhrases, [...german.stopPhrases, ...english.stopPhrases])
      assert.deepStrictEqual(merged.wakePhrases, [...new Set([...german.wakePhrases, ...english.wakePhrases])])
      const { source: _, ...alone } = english
      assert.deepStrictEqual((yield* app.send("GET", "/api/voice-phrases?lang=xx")).body, alone)
      assert.deepStrictEqual((yield* app.send("GET", "/api/voice-phrases/xx")).body, {
        source: "none",
        stopPhrases: [],
        cancelPhrases: [],
        wakePhrases: []
      })
    })
  )

  it.effect("keeps own phrases in the file; arrays that are not named stay", () =>
    Effect.gen(function* () {
      const app = yield* makeVoiceApp()
      const before = (yield* app.send("GET", "/api/voice-phrases/de")).body
      const saved = yield* app.send("PUT", "/api/voice-phrases/de", { stopPhrases: ["  und Schluss ", "SEND IT"] })
      assert.deepStrictEqual(saved.body, {
        ok: true,
        lang: "de",
        ...before,
        source: "custom",
        stopPhrases: ["und Schluss", "SEND IT"]
      })
      yield* app.send("PUT", "/api/voice-phrases/de", { wakePhrases: [] })
      yield* app.send("PUT", "/api/voice-phrases/eo", { wakePhrases: ["saluton"] })
      const file = JSON.parse(readFileSync(`${app.folder}/svc/voice-phrases.json`, "utf8"))
      assert.deepStrictEqual(file, {
        de: { stopPhrases: ["und Schluss", "SEND IT"], wakePhrases: [] },
        eo: { wakePhrases: ["saluton"] }
      })
      const merged = (yield* app.send("GET", "/api/voice-phrases?lang=de")).body
      assert.strictEqual(merged.stopPhrases.filter((phrase: string) => /^send it$/i.test(phrase)).length, 1)
      const status = (yield* app.send("GET", "/api/voice-phrases/status")).body
      assert.deepStrictEqual(status.de, { configured: true, hasDefaults: true })
      assert.deepStrictEqual(status.eo, { configured: true, hasDefaults: false })
    })
  )

  it.effect("refuses empty changes, odd phrases and odd languages", () =>
    Effect.gen(function* () {
      const app = yield* makeVoiceApp()
      const bodies = [
        {},
        { other: [] },
        { stopPhrases: "x" },
        { stopPhrases: [""] },
        { stopPhrases: [1] },
        { stopPhrases: ["x".repeat(201)] },
        { stopPhrases: Array.from({ length: 101 }, (_, index) => `p${index}`) },
        [],
        null,
        "{"
      ]
      for (const body of bodies) {
        const answer = yield* app.send("PUT", "/api/voice-phrases/de", body)
        assert.strictEqual(answer.status, 400, JSON.stringify(body))
        assert.strictEqual(answer.body.error, "validation_error")
      }
      for (const lang of ["__proto__", "constructor", "DE", "deu", "d%00", "..%2F..", "x".repeat(10_000)]) {
        const read = yield* app.send("GET", `/api/voice-phrases/${lang}`)
        assert.include([400, 404], read.status, lang)
        const write = yield* app.send("PUT", `/api/voice-phrases/${lang}`, { stopPhrases: ["x"] })
        assert.include([400, 404], write.status, lang)
      }
      assert.strictEqual((yield* app.send("GET", "/api/voice-phrases?lang=constructor")).status, 400)
      assert.isFalse(existsSync(`${app.folder}/svc/voice-phrases.json`))
    })
  )

  it.effect("a damaged file is set aside and nothing of it is lost", () =>
    Effect.gen(function* () {
      const app = yield* makeVoiceApp()
      mkdirSync(`${app.folder}/svc`, { recursive: true })
      writeFileSync(`${app.folder}/svc/voice-phrases.json`, '{"de": {"stopPhrases": "no list"}}')
      assert.strictEqual((yield* app.send("GET", "/api/voice-phrases/de")).body.source, "defaults")
      yield* app.send("PUT", "/api/voice-phrases/de", { stopPhrases: ["fertig"] })
      const names = readdirSync(`${app.folder}/svc`).filter((name) => name.startsWith("voice-phrases"))
      assert.lengthOf(names, 2)
      const kept = names.find((name) => name.includes("damaged")) ?? ""
      assert.include(readFileSync(`${app.folder}/svc/${kept}`, "utf8"), "no list")
    })
  )
})
