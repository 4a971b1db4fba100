import { readFileSync, statSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeVoiceApp } from "../../../support/voiceApp.ts"

const DEFAULTS = {
  alias: { mode: "custom_voice", speaker: "Serena" },
  vendor_a: { model: "gpt-4o-mini-tts", voice: "alloy" },
  free: { voice: "" }
}

describe("/api/tts/config", () => {
  it.effect("changes the keys it is given and answers the whole", () =>
    Effect.gen(function* () {
      const app = yield* makeVoiceApp()
      assert.deepStrictEqual((yield* app.send("GET", "/api/tts/config")).body, DEFAULTS)
      const change = { vendor_a: { instructions: "calm" }, alias: { language: "German", styleInstruction: "warm" } }
      const expected = {
        ...DEFAULTS,
        vendor_a: { ...DEFAULTS.vendor_a, instructions: "calm" },
        alias: { ...DEFAULTS.alias, language: "German", styleInstruction: "warm" }
      }
      assert.deepStrictEqual((yield* app.send("PUT", "/api/tts/config", change)).body, expected)
      yield* app.send("PUT", "/api/tts/config", { free: { voice: "de-DE-KatjaNeural" } })
      assert.deepStrictEqual((yield* app.send("PUT", "/api/tts/config", { alias: { language: "" } })).body, {
        ...expected,
        alias: { ...DEFAULTS.alias, styleInstruction: "warm" },
        free: { voice: "de-DE-KatjaNeural" }
      })
      const path = `${app.folder}/svc/tts-config.json`
      assert.strictEqual(statSync(path).mode & 0o777, 0o600)
      assert.deepStrictEqual(JSON.parse(readFileSync(path, "utf8")), {
        alias: { styleInstruction: "warm" },
        vendor_a: { instructions: "calm" },
        free: { voice: "de-DE-KatjaNeural" }
      })
    })
  )

  it.effect("refuses other sections, other keys, other types and long values", () =>
    Effect.gen(function* () {
      const app = yield* makeVoiceApp()
      const bad = [
        { vendor_b: {} },
        { free: { rate: "1" } },
        { alias: { voice: "x" } },
        { free: { voice: 1 } },
        { free: "x" },
        { free: { voice: "x".repeat(2001) } },
        JSON.parse('{"__proto__": {}}'),
        '{"free": {"__proto__": "x"}}',
        [],
        null,
        "",
        "{"
      ]
      for (const body of bad) {
        const answer = yield* app.send("PUT", "/api/tts/config", body)
        assert.strictEqual(answer.status, 400, JSON.stringify(body))
        assert.strictEqual(answer.body.error, "validation_error")
      }
      assert.strictEqual((yield* app.send("PUT", "/api/tts/config", { free: { voice: "x".repeat(2000) } })).status, 200)
      assert.strictEqual((yield* app.send("PUT", "/api/tts/config", {})).status, 200)
    })
  )
})
