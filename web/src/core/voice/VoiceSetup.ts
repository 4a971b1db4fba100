import type { DownloadChange, PhraseSet } from "../../../../src/contract/schema/voice.ts"
import { type ActionResult, createObservable, type Readable } from "../common/Observable.ts"
import type { ApiClient, EventStream } from "../link/apiTypes.ts"
import {
  type Download,
  downloadOf,
  type LanguageSetup,
  languageSetup,
  phraseSet,
  type SttSetup,
  sttSetup,
  type TtsSetup,
  ttsSetup
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

const EMPTY: VoiceSetupState = { status: "loading", message: null, language: null, stt: null, tts: null, phrases: null }

const done: ActionResult = { ok: true, value: true }

export interface VoiceSetup {
  readonly state: Readable<VoiceSetupState>
  /** Reads everything, and keeps it current until the returned function is called. */
  open(): () => void
  load(): Promise<void>
  setLanguage(change: { readonly language?: string; readonly edgeVoiceGender?: string }): Promise<ActionResult>
  setStt(change: { readonly provider?: string; readonly model?: string }): Promise<ActionResult>
  setTts(change: object): Promise<ActionResult>
  /** Saves custom phrases for the current language. */
  setPhrases(phrases: PhraseSet): Promise<ActionResult>
}

/** Reads and changes the console server's voice settings, and follows a model's download. */
export function createVoiceSetup(
  api: Pick<ApiClient, "request">,
  events: Pick<EventStream, "on" | "connected">
): VoiceSetup {
  const state = createObservable<VoiceSetupState>(EMPTY)

  /** How many changes of a download were heard of, and the last one. */
  const latest: { count: number; download: Download | null } = { count: 0, download: null }

  /** An answer that was asked for before the last change of the download has an older one. */
  const current = (stt: SttSetup, countBefore: number): SttSetup =>
    latest.count === countBefore ? stt : { ...stt, download: latest.download }

  async function load(): Promise<void> {
    const before = latest.count
    const [language, stt, tts] = await Promise.all([
      api.request("GET", "/api/language", languageSetup),
      api.request("GET", "/api/transcribe/config", sttSetup),
      api.request("GET", "/api/tts/config", ttsSetup)
    ])
    if (!language.ok) return failed(language.error.message)
    if (!stt.ok) return failed(stt.error.message)
    if (!tts.ok) return failed(tts.error.message)
    const phrases = await phrasesOf(language.value.language)
    state.set({
      status: "ready",
      message: null,
      language: language.value,
      stt: current(stt.value, before),
      tts: tts.value,
      phrases
    })
  }

  async function phrasesOf(code: string): Promise<PhraseSet | null> {
    const result = await api.request("GET", `/api/voice-phrases/${code}`, phraseSet)
    return result.ok ? result.value : null
  }

  function failed(message: string): void {
    const now = state.get()
    // What is on screen stays; the next connection reads it again.
    if (now.status !== "ready") state.set({ ...now, status: "failed", message })
  }

  function downloaded(data: DownloadChange): void {
    const isDone = data.status === "done"
    latest.count += 1
    latest.download = isDone ? null : downloadOf(data)
    const now = state.get()
    if (now.stt === null) return
    if (isDone) void load()
    else state.set({ ...now, stt: { ...now.stt, download: latest.download } })
  }

  return {
    state,
    open: () => {
      void load()
      const stops = [
        events.on("stt.download", ({ data }) => downloaded(data)),
        events.connected.subscribe((up) => {
          if (up) void load()
        })
      ]
      return () => {
        for (const stop of stops) stop()
      }
    },
    load,
    setLanguage: async (change) => {
      const result = await api.request("PUT", "/api/language", languageSetup, { body: change })
      if (!result.ok) return { ok: false, message: result.error.message }
      const phrases = change.language === undefined ? state.get().phrases : await phrasesOf(change.language)
      state.set({ ...state.get(), language: result.value, phrases })
      return done
    },
    setStt: async (change) => {
      const before = latest.count
      const result = await api.request("PUT", "/api/transcribe/config", sttSetup, { body: change })
      if (!result.ok) return { ok: false, message: result.error.message }
      state.set({ ...state.get(), stt: current(result.value, before) })
      return done
    },
    setTts: async (change) => {
      const result = await api.request("PUT", "/api/tts/config", ttsSetup, { body: change })
      if (!result.ok) return { ok: false, message: result.error.message }
      state.set({ ...state.get(), tts: result.value })
      return done
    },
    setPhrases: async (phrases) => {
      const code = state.get().language?.language ?? "en"
      const result = await api.request("PUT", `/api/voice-phrases/${code}`, phraseSet, { body: phrases })
      if (!result.ok) return { ok: false, message: result.error.message }
      state.set({ ...state.get(), phrases: result.value })
      return done
    }
  }
}
