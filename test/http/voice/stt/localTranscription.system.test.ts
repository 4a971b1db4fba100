import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { fileThere } from "../../../support/fileThere.ts"
import { passTime } from "../../../support/passTime.ts"
import { convert } from "../../../support/voice/convert.ts"
import { emptyModel } from "../../../support/voice/emptyModel.ts"
import { hasFfmpeg } from "../../../support/voice/hasFfmpeg.ts"
import { httpStandIn } from "../../../support/voice/httpStandIn.ts"
import { toneWav } from "../../../support/voice/sounds.ts"
import { makeSttApp } from "../../../support/voice/sttApp.ts"

interface Body {
  readonly error?: string
  readonly details?: string
  readonly why?: { readonly code: string }
}

const assertFailed = (body: Body, code: string, details: string, error = "transcription_failed") => {
  assert.deepStrictEqual([body.error, body.details, body.why?.code], [error, details, code])
}

/** The start of a recording as browsers make it: enough to be recognised as one that needs converting. */
const webmStart = Buffer.from("\x1A\x45\xDF\xA3 and some more", "latin1")

describe("recognition on this machine", () => {
  it.effect("reads WAV itself, without a program that converts", () =>
    Effect.gen(function* () {
      const app = yield* makeSttApp({ ffmpegCommand: "/nonexistent/ffmpeg" })
      app.placeModel("tiny", emptyModel)
      for (const seconds of [0.1, 0.5, 2]) {
        const answer = yield* app.upload({ bytes: toneWav(seconds), type: "audio/wav" })
        assert.deepStrictEqual([answer.status, answer.body], [200, { text: "" }])
      }
      const slow = toneWav(2)
      slow.writeUInt32LE(10, 24)
      assertFailed(
        (yield* app.upload({ bytes: slow, type: "audio/wav" })).body,
        "RECORDING_TOO_LONG",
        "the recording is longer than 30 minutes: send it in parts"
      )
    })
  )

  it.effect.skipIf(!hasFfmpeg)(
    "converts what browsers record and runs the recogniser on it, in processes of their own (needs ffmpeg)",
    () =>
      Effect.gen(function* () {
        const app = yield* makeSttApp()
        app.placeModel("tiny", emptyModel)
        const recordings = [
          ["audio/wav", toneWav()],
          ["audio/wav", yield* convert(["-c:a", "pcm_s24le", "-f", "wav"])],
          ["audio/webm;codecs=opus", yield* convert(["-c:a", "libopus", "-f", "webm"])],
          ["audio/mp4", yield* convert(["-c:a", "aac", "-movflags", "frag_keyframe+empty_moov", "-f", "mp4"])],
          ["audio/ogg", yield* convert(["-c:a", "libopus", "-f", "ogg"])],
          ["audio/flac", yield* convert(["-f", "flac"])],
          ["audio/mpeg", yield* convert(["-f", "mp3"])]
        ] as const
        for (const [type, bytes] of recordings) {
          const answer = yield* app.upload({ bytes, type })
          assert.deepStrictEqual([answer.status, answer.body], [200, { text: "" }], type)
        }
      }),
    60_000
  )

  it.effect("audio that cannot be read is no fault of the recogniser; a list of files leads nowhere", () =>
    Effect.gen(function* () {
      const app = yield* makeSttApp()
      app.placeModel("tiny", emptyModel)
      const damaged = Buffer.concat([toneWav().subarray(0, 20), Buffer.from("nothing like a format")])
      const list = Buffer.from("ffconcat version 1.0\nfile /etc/passwd\n")
      for (const bytes of [damaged, list, Buffer.from("#EXTM3U\nhttp://127.0.0.1:9/x"), Buffer.from("x")]) {
        const answer = yield* app.upload({ bytes, type: "audio/webm" })
        assert.strictEqual(answer.status, 500)
        assertFailed(answer.body, "AUDIO_UNREADABLE", "couldn't read the audio: it's damaged or in an unknown format")
      }
    })
  )

  it.effect("a converter that is missing or hangs", () =>
    Effect.gen(function* () {
      const missing = yield* makeSttApp({ ffmpegCommand: "/nonexistent/ffmpeg" })
      missing.placeModel("tiny", emptyModel)
      const answer = yield* missing.upload({ bytes: webmStart, type: "audio/webm;codecs=opus" })
      assert.strictEqual(answer.status, 500)
      assert.strictEqual(answer.body.error, "converter_missing")
      assert.match(answer.body.details, /^couldn't run ffmpeg: install it/)
      const script = `${missing.folder}/hangs`
      writeFileSync(script, `#!/bin/sh\necho $$ > ${script}.pid\nexec sleep 600\n`)
      chmodSync(script, 0o755)
      const hanging = yield* makeSttApp({ ffmpegCommand: script })
      hanging.placeModel("tiny", emptyModel)
      const hearing = yield* Effect.forkChild(hanging.upload({ bytes: webmStart, type: "audio/webm" }))
      yield* fileThere(`${script}.pid`)
      assertFailed(
        (yield* passTime(hearing)).body,
        "FFMPEG_TIMED_OUT",
        "ffmpeg didn't finish within 60 seconds and was stopped: try a shorter recording"
      )
      const pid = readFileSync(`${script}.pid`, "utf8").trim()
      assert.isFalse(existsSync(`/proc/${pid}/exe`))
    })
  )

  it.effect("a damaged model is taken away and downloaded anew", () =>
    Effect.gen(function* () {
      const source = yield* httpStandIn((_, response) => response.writeHead(404).end())
      const app = yield* makeSttApp({ sttModelBaseUrl: source.url })
      app.placeModel("tiny", Buffer.alloc(emptyModel.length, "x"))
      const answer = yield* app.upload({ bytes: toneWav(), type: "audio/wav" })
      assert.strictEqual(answer.status, 500)
      assertFailed(
        answer.body,
        "MODEL_DAMAGED",
        "the speech model tiny was damaged and is being downloaded again: try again when it's ready",
        "model_not_ready"
      )
      assert.deepStrictEqual(readdirSync(app.settings.sttModelDir), [])
    })
  )

  const speech = process.env.STT_TEST_MODEL_DIR
  if (speech === undefined) {
    console.info(
      "real speech is not tested: STT_TEST_MODEL_DIR names no folder with ggml-*.bin, speech.wav and speech.txt"
    )
  }
  it.effect.skipIf(speech === undefined)(
    "recognises real speech with a real model (needs STT_TEST_MODEL_DIR)",
    () =>
      Effect.gen(function* () {
        const folder = speech ?? ""
        const name = readdirSync(folder).find((file) => /^ggml-(tiny|base|small)(\.en)?\.bin$/.test(file)) ?? ""
        const app = yield* makeSttApp(
          { sttModelDir: folder, sttModel: name.slice(5, -4) },
          readFileSync(`${folder}/${name}`)
        )
        const answer = yield* app.upload({ bytes: readFileSync(`${folder}/speech.wav`), type: "audio/wav" })
        const words = (text: string) => text.toLowerCase().match(/\p{L}+/gu) ?? []
        assert.includeMembers(words(answer.body.text), words(readFileSync(`${folder}/speech.txt`, "utf8")))
      }),
    120_000
  )
})
