import { fieldsOf, filledText, parseJson, textOf } from "../decode.ts"
import type { ActionResult } from "../types.ts"

/** The voice routes that send or answer something else than JSON. */
export interface VoiceApi {
  /** The words of a recording. */
  readonly transcribe: (recording: Blob, signal: AbortSignal) => Promise<ActionResult<string>>
  /** A text as audio. */
  readonly speak: (text: string, provider: string | null, signal: AbortSignal) => Promise<ActionResult<Blob>>
}

const OFFLINE = "The console's server cannot be reached. Check that it is running."
const STRANGE = "The console's server gave an answer this page does not understand."

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`

const problemOf = async (response: Response): Promise<string> => {
  const { details } = fieldsOf(parseJson(await response.text().catch(() => "")))
  const said = filledText(details)
  if (said !== null) return sentence(said)
  return response.status === 413 ? "The recording is too large." : `That did not work (${response.status}).`
}

export function createVoiceApi(send: typeof fetch, origin: string): VoiceApi {
  const request = async <A>(
    path: string,
    init: RequestInit,
    read: (response: Response) => Promise<A | null>
  ): Promise<ActionResult<A>> => {
    try {
      const response = await send(`${origin}${path}`, { method: "POST", credentials: "same-origin", ...init })
      if (!response.ok) return { ok: false, message: await problemOf(response) }
      const value = await read(response)
      return value === null ? { ok: false, message: STRANGE } : { ok: true, value }
    } catch {
      return { ok: false, message: OFFLINE }
    }
  }
  return {
    transcribe: (recording, signal) => {
      const body = new FormData()
      body.set("file", recording, "recording")
      return request("/api/transcribe", { body, signal }, async (response) =>
        textOf(fieldsOf(parseJson(await response.text())).text)
      )
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
