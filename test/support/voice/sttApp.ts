import { mkdirSync, writeFileSync } from "node:fs"
import { Effect } from "effect"
import type { SettingsShape } from "../../../src/services/platform/settings/Settings.ts"
import { ModelFiles } from "../../../src/services/voice/stt/SttSettings.ts"
import { makeVoiceApp } from "../voiceApp.ts"
import { emptyModel, everyModel } from "./emptyModel.ts"

/** An upload as browsers send it. */
export interface Upload {
  readonly bytes: Uint8Array
  readonly type: string
  readonly field?: string
  readonly peer?: string
}

/** The app with a catalogue of small models, and uploads to it. */
export const makeSttApp = Effect.fnUntraced(function* (
  overrides: Partial<SettingsShape> = {},
  model: Buffer = emptyModel
) {
  const app = yield* makeVoiceApp(overrides).pipe(Effect.provideService(ModelFiles, everyModel(model)))

  const upload = Effect.fnUntraced(function* ({ bytes, type, field = "file", peer = "127.0.0.1" }: Upload) {
    const form = new FormData()
    form.set(field, new File([new Uint8Array(bytes)], "recording", { type }))
    const response = yield* app.request("/api/transcribe", { method: "POST", body: form, peer })
    const text = yield* Effect.promise(() => response.text())
    return {
      status: response.status,
      headers: response.headers,
      body: text.startsWith("{") ? JSON.parse(text) : text
    }
  })

  /** Puts a file where a model is looked for. */
  const placeModel = (name: string, bytes: Uint8Array) => {
    mkdirSync(app.settings.sttModelDir, { recursive: true })
    writeFileSync(`${app.settings.sttModelDir}/ggml-${name}.bin`, bytes)
  }

  return { ...app, upload, placeModel }
})
