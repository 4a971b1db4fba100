import { filledText, parseJson } from "../../../../src/contract/looseFields.ts"
import type { ErrorAnswer } from "../../../../src/contract/schema/failure.ts"
import type { SttConfig, Transcript } from "../../../../src/contract/schema/voice.ts"
import type { ActionResult } from "../common/Observable.ts"
import { asSentence } from "../common/phrases.ts"
import { say } from "../language/say.ts"
import { CONSOLE_AWAY, isForeign, sentenceBetween } from "../link/ApiClient.ts"
import { failureText } from "../link/failureText.ts"

/** The voice routes that send or return something other than JSON. */
export interface VoiceApi {
  /** The words in a recording. */
  readonly transcribe: (recording: Blob, signal: AbortSignal) => Promise<ActionResult<string>>
  /** A text as audio. */
  readonly speak: (text: string, provider: string | null, signal: AbortSignal) => Promise<ActionResult<Blob>>
}

const STRANGE = say("The page doesn't understand the server's response.")

/** The code of a server that needs WAV because it can't convert other recordings. */
const NEEDS_WAV = "converter_missing"

type Failure = { readonly ok: false; readonly message: string; readonly code?: string }

const failureOf = async (response: Response): Promise<Failure> => {
  const { error, details, why } = parseJson<Partial<ErrorAnswer>>(await response.text().catch(() => "")) ?? {}
  const said = filledText(details)
  if (said !== null) return { ok: false, message: asSentence(failureText(said, why)), code: error ?? "" }
  const message =
    response.status === 413
      ? say("The recording is too large.")
      : say("That didn't work ({status}).", { status: response.status })
  return { ok: false, message }
}

/** `toWav` converts a recording of this browser; it rejects if the browser can't read it. */
export function createVoiceApi(
  send: typeof fetch,
  origin: string,
  toWav: (recording: Blob) => Promise<Blob>
): VoiceApi {
  const request = async <A>(
    path: string,
    init: RequestInit,
    read: (response: Response) => Promise<A | null>
  ): Promise<{ readonly ok: true; readonly value: A } | Failure> => {
    try {
      const response = await send(`${origin}${path}`, { method: "POST", credentials: "same-origin", ...init })
      if (isForeign(response)) return { ok: false, message: sentenceBetween(response.status) }
      if (!response.ok) return await failureOf(response)
      const value = await read(response)
      return value === null ? { ok: false, message: STRANGE } : { ok: true, value }
    } catch {
      return { ok: false, message: CONSOLE_AWAY }
    }
  }
  const upload = (recording: Blob, signal: AbortSignal) => {
    const body = new FormData()
    body.set("file", recording, "recording")
    return request(
      "/api/transcribe",
      { body, signal },
      async (response) => parseJson<Transcript>(await response.text())?.text ?? null
    )
  }
  const inWav = (recording: Blob) => toWav(recording).catch(() => null)
  /** Vendors read what browsers record, and the provider can change at any time. */
  const isLocal = async (signal: AbortSignal): Promise<boolean> => {
    const provider = await request(
      "/api/transcribe/config",
      { method: "GET", signal },
      async (response) => parseJson<SttConfig>(await response.text())?.provider ?? null
    )
    return provider.ok && provider.value === "local"
  }
  let needsWav = false
  return {
    transcribe: async (recording, signal) => {
      if (needsWav && (await isLocal(signal))) {
        const wav = await inWav(recording)
        if (wav !== null) return upload(wav, signal)
      }
      const result = await upload(recording, signal)
      if (result.ok || result.code !== NEEDS_WAV) return result
      const wav = await inWav(recording)
      if (wav === null) return result
      needsWav = true
      return upload(wav, signal)
    },
    speak: (text, provider, signal) =>
      request(
        "/api/tts",
        {
          headers: { "content-type": "application/json" },
          body: JSON.stringify(provider === null ? { text } : { text, provider }),
          signal
        },
        (response) => response.blob()
      )
  }
}
