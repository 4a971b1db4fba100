import { readFileSync, writeFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { makeVoiceApp } from "../../../support/voiceApp.ts"

describe("/api/language", () => {
  it.effect("returns the language, all languages, and the providers that speak it", () =>
    Effect.gen(function* () {
      const app = yield* makeVoiceApp({ language: "xx" })
      const { body } = yield* app.send("GET", "/api/language")
      assert.deepInclude(body, {
        language: "en",
        edgeVoiceGender: "female",
        providers: { free: true, alias: false, vendor_a: false }
      })
      assert.strictEqual(
        body.supported.map((entry: { code: string }) => entry.code).join(),
        "en,zh,hi,es,fr,ar,bn,pt,ru,ja,de,tr"
      )
      assert.deepInclude(body.supported, { code: "de", name: "German", nativeName: "Deutsch" })
    })
  )

  it.effect("a change holds at once and is written to .env, whose other lines stay", () =>
    Effect.gen(function* () {
      const app = yield* makeVoiceApp({ vendorAKey: Redacted.make("k"), vendorBToken: Redacted.make("t") })
      writeFileSync(`${app.folder}/install/.env`, "# mine\nPORT=3080\nSVC_LANGUAGE='en'\n")
      const changed = yield* app.send("PUT", "/api/language", { language: "bn" })
      assert.strictEqual(changed.status, 200)
      assert.deepInclude(changed.body, {
        language: "bn",
        providers: { free: true, alias: false, vendor_a: false }
      })
      yield* app.send("PUT", "/api/language", { edgeVoiceGender: "male" })
      const { body } = yield* app.send("GET", "/api/language")
      assert.deepInclude(body, { language: "bn", edgeVoiceGender: "male" })
      assert.strictEqual(
        readFileSync(`${app.folder}/install/.env`, "utf8"),
        "# mine\nPORT=3080\nSVC_LANGUAGE='bn'\nEDGE_VOICE_GENDER=male\n"
      )
    })
  )

  it.effect("refuses what it does not know", () =>
    Effect.gen(function* () {
      const app = yield* makeVoiceApp()
      for (const body of [{ language: "xx" }, { language: 1 }, { edgeVoiceGender: "robot" }, [], null, "{", ""]) {
        const answer = yield* app.send("PUT", "/api/language", body)
        assert.strictEqual(answer.status, 400, JSON.stringify(body))
        assert.strictEqual(answer.body.error, "validation_error")
      }
      assert.strictEqual((yield* app.send("GET", "/api/language")).body.language, "en")
    })
  )
})

it.effect("/api/language/support returns voices and recognition of each language, with the chosen model", () =>
  Effect.gen(function* () {
    const app = yield* makeVoiceApp({ sttModel: "base.en" })
    const { body } = yield* app.send("GET", "/api/language/support")
    assert.deepInclude(body, { currentModel: "base.en", isMultilingual: false })
    assert.lengthOf(body.languages, 12)
    assert.deepStrictEqual(
      body.languages.find((entry: { code: string }) => entry.code === "hi"),
      {
        code: "hi",
        name: "Hindi",
        nativeName: "हिन्दी",
        edgeTtsVoices: { female: "hi-IN-SwaraNeural", male: "hi-IN-MadhurNeural" },
        stt: { local: false, vendor_a: true },
        tts: { free: true, alias: false, vendor_a: true }
      }
    )
    const multilingual = yield* makeVoiceApp()
    const answer = yield* multilingual.send("GET", "/api/language/support")
    assert.isTrue(answer.body.isMultilingual)
    assert.isTrue(answer.body.languages.every((entry: { stt: { local: boolean } }) => entry.stt.local))
  })
)
