import type { PhraseSet } from "../../../../src/contract/answers/VoiceAnswers.ts"
import type { DownloadChange } from "../../../../src/contract/ConsoleEvent.ts"
import { fieldsOf } from "../common/decode.ts"
import { createObservable } from "../common/Observable.ts"
import type { ActionResult, Readable } from "../common/readable.ts"
import type { ApiClient, EventStream } from "../link/apiTypes.ts"
import {
  decodeDownload,
  decodeLanguage,
  decodePhrases,
  decodeStt,
  decodeTts,
  type LanguageSetup,
  type SttSetup,
  type TtsSetup
} from "./voiceSetupTypes.ts"

/** The server's side of speaking and listening. */
export interface VoiceSetupState {
  readonly status: "loading" | "ready" | "failed"
  readonly message: string | null
  readonly language: LanguageSetup | null
  readonly stt: SttSetup | null
  readonly tts: TtsSetup | null
  readonly phrases: PhraseSet | null
}

const EMPTY: VoiceSetupState = {
  status: "loading",
  message: null,
  language: null,
  stt: null,
  tts: null,
  phrases: null
}

const done: ActionResult = { ok: true, value: true }

/** Reads and changes the console server's voice settings, and follows a model's download. */
export class VoiceSetup {
  private readonly api: Pick<ApiClient, "request">
  private readonly events: Pick<EventStream, "on" | "connected">
  private readonly current = createObservable<VoiceSetupState>(EMPTY)

  constructor(api: Pick<ApiClient, "request">, events: Pick<EventStream, "on" | "connected">) {
    this.api = api
    this.events = events
  }

  get state(): Readable<VoiceSetupState> {
    return this.current
  }

  /** Reads everything, and keeps it current until the returned function is called. */
  open(): () => void {
    void this.load()
    const stops = [
      this.events.on("stt.download", ({ data }) => this.downloaded(data)),
      this.events.connected.subscribe((up) => {
        if (up) void this.load()
      })
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }

  async load(): Promise<void> {
    const [language, stt, tts] = await Promise.all([
      this.api.request("GET", "/api/language", decodeLanguage),
      this.api.request("GET", "/api/transcribe/config", decodeStt),
      this.api.request("GET", "/api/tts/config", decodeTts)
    ])
    if (!language.ok) return this.failed(language.error.message)
    if (!stt.ok) return this.failed(stt.error.message)
    if (!tts.ok) return this.failed(tts.error.message)
    const phrases = await this.phrasesOf(language.value.language)
    this.current.set({
      status: "ready",
      message: null,
      language: language.value,
      stt: stt.value,
      tts: tts.value,
      phrases
    })
  }

  async setLanguage(change: { readonly language?: string; readonly edgeVoiceGender?: string }): Promise<ActionResult> {
    const result = await this.api.request("PUT", "/api/language", decodeLanguage, { body: change })
    if (!result.ok) return { ok: false, message: result.error.message }
    const phrases = change.language === undefined ? this.current.get().phrases : await this.phrasesOf(change.language)
    this.current.set({ ...this.current.get(), language: result.value, phrases })
    return done
  }

  async setStt(change: { readonly provider?: string; readonly model?: string }): Promise<ActionResult> {
    const result = await this.api.request("PUT", "/api/transcribe/config", decodeStt, { body: change })
    if (!result.ok) return { ok: false, message: result.error.message }
    this.current.set({ ...this.current.get(), stt: result.value })
    return done
  }

  async setTts(change: object): Promise<ActionResult> {
    const result = await this.api.request("PUT", "/api/tts/config", decodeTts, { body: change })
    if (!result.ok) return { ok: false, message: result.error.message }
    this.current.set({ ...this.current.get(), tts: result.value })
    return done
  }

  /** Saves custom phrases for the current language. */
  async setPhrases(phrases: PhraseSet): Promise<ActionResult> {
    const code = this.current.get().language?.language ?? "en"
    const result = await this.api.request("PUT", `/api/voice-phrases/${code}`, decodePhrases, { body: phrases })
    if (!result.ok) return { ok: false, message: result.error.message }
    this.current.set({ ...this.current.get(), phrases: result.value })
    return done
  }

  private async phrasesOf(code: string): Promise<PhraseSet | null> {
    const result = await this.api.request("GET", `/api/voice-phrases/${code}`, decodePhrases)
    return result.ok ? result.value : null
  }

  private failed(message: string): void {
    const now = this.current.get()
    // What is on screen stays; the next connection reads it again.
    if (now.status !== "ready") this.current.set({ ...now, status: "failed", message })
  }

  private downloaded(data: unknown): void {
    const now = this.current.get()
    if (now.stt === null) return
    if (fieldsOf<DownloadChange>(data).status === "done") void this.load()
    else this.current.set({ ...now, stt: { ...now.stt, download: decodeDownload(data) } })
  }
}
