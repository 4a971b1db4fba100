import type { DownloadChange, VoiceReach } from "../../../../src/contract/schema/voice.ts"
import { type ActionResult, createObservable, type Readable } from "../common/Observable.ts"
import type { ApiClient, EventStream } from "../link/apiTypes.ts"
import type { VoiceAgreement } from "./askFirst.ts"
import { type Download, downloadOf, type SttSetup, sttSetup } from "./voiceSetupTypes.ts"

/**
 * Whether speech can be recognised: `unagreed` is before a person agrees to the service that recordings are sent to, `off`
 * is where nothing may leave the machine, as in the demo.
 */
export type SpeechModelStatus = "unknown" | "ready" | "missing" | "downloading" | "failed" | "unagreed" | "off"

export interface SpeechModelState {
  readonly status: SpeechModelStatus
  /** The size of the model, such as "75 MB". */
  readonly size: string
  /** Where it's downloaded from, or who gets recordings instead. */
  readonly source: string
  /** How much of it is there, 0 to 100. */
  readonly percent: number
}

export interface SpeechModel {
  readonly state: Readable<SpeechModelState>
  /** Keeps the state current until the returned function is called. */
  open(): () => void
  /** Asks the server; what was known stays if it can't be asked. */
  read(): Promise<SpeechModelState>
  /** Starts the download, goes on with it, or agrees to the service that recordings are sent to. */
  setUp(): Promise<ActionResult>
}

const UNKNOWN: SpeechModelState = { status: "unknown", size: "", source: "", percent: 0 }

/** Somebody who lets a service read texts aloud hasn't agreed that it hears them. */
const recordingsTo = (service: string): string => `recordings: ${service}`

const statusOf = (stt: SttSetup, { models, recogniser }: VoiceReach, agreement: VoiceAgreement): SpeechModelStatus => {
  if (stt.provider !== "local") {
    if (recogniser.isOff) return "off"
    return recogniser.isOnline && !agreement.has(recordingsTo(recogniser.name)) ? "unagreed" : "ready"
  }
  if (stt.modelReady) return "ready"
  if (models.isOff) return "off"
  if (stt.download === null || stt.download.model !== stt.model) return "missing"
  return stt.download.status === "failed" ? "failed" : "downloading"
}

/** The model that recognises speech on the console's machine, from not being there to being ready. */
export function createSpeechModel(
  api: Pick<ApiClient, "request">,
  events: Pick<EventStream, "on" | "connected">,
  reach: () => Promise<ActionResult<VoiceReach>>,
  agreement: VoiceAgreement
): SpeechModel {
  const state = createObservable<SpeechModelState>(UNKNOWN)
  let model = ""

  function take(stt: SttSetup, services: VoiceReach): void {
    model = stt.model
    state.set({
      status: statusOf(stt, services, agreement),
      size: stt.models.find(({ id }) => id === stt.model)?.size ?? "",
      source: stt.provider === "local" ? services.models.name : services.recogniser.name,
      percent: stt.download?.model === stt.model ? stt.download.percent : 0
    })
  }

  async function read(): Promise<SpeechModelState> {
    const [stt, services] = await Promise.all([api.request("GET", "/api/transcribe/config", sttSetup), reach()])
    if (stt.ok && services.ok) take(stt.value, services.value)
    return state.get()
  }

  function onDownload(change: DownloadChange, download: Download | null): void {
    const now = state.get()
    if (!["missing", "downloading", "failed"].includes(now.status)) return
    if (change.status === "done" || (download !== null && download.model !== model)) {
      void read()
      return
    }
    if (download === null) return
    const status = download.status === "failed" ? "failed" : "downloading"
    state.set({ ...now, status, percent: download.percent })
  }

  return {
    state,
    open: () => {
      // The settings may have changed since it was last used.
      if (state.get().status !== "unknown") void read()
      const stops = [
        events.on("stt.download", ({ data }) => onDownload(data, downloadOf(data))),
        events.connected.subscribe((isUp) => {
          if (isUp && state.get().status !== "unknown") void read()
        })
      ]
      return () => {
        for (const stop of stops) stop()
      }
    },
    read,
    setUp: async () => {
      const before = state.get()
      if (before.status === "unagreed") {
        agreement.add(recordingsTo(before.source))
        state.set({ ...before, status: "ready" })
        return { ok: true, value: true }
      }
      // What the first pieces report comes before the answer.
      state.set({ ...before, status: "downloading", percent: 0 })
      const result = await api.request("PUT", "/api/transcribe/config", sttSetup, { body: { model } })
      if (result.ok) {
        if (result.value.modelReady) await read()
        return { ok: true, value: true }
      }
      state.set({ ...state.get(), status: "failed" })
      return { ok: false, message: result.error.message }
    }
  }
}
