import type { PhraseSet } from "../../../src/contract/answers/VoiceAnswers.ts"
import type { AppServices } from "../base/AppContext.ts"
import { compose } from "../base/compose.ts"
import { createObservable } from "../core/common/Observable.ts"
import type { Readable } from "../core/common/readable.ts"
import type { ChatStore, TurnEnd } from "../core/conversation/chatTypes.ts"
import { say } from "../core/language/say.ts"
import { type HandsFreeState, heard } from "../core/voice/handsFree.ts"
import { spokenReply } from "../core/voice/spokenReply.ts"
import { asSpoken } from "../core/voice/spokenText.ts"
import { createTalk, type Talk } from "../core/voice/Talk.ts"
import { type Listening, listenForClips } from "./listenForClips.ts"
import { record } from "./microphone.ts"
import { unlockAudio } from "./playAudio.ts"
import { type VoiceServices, voiceServices } from "./voiceServices.ts"

/**
 * What hands-free listening is doing: nothing, getting the microphone, waiting for the wake phrase, or recording a
 * message.
 */
export type ListeningPhase = "off" | "starting" | "waiting" | "awake"

/** Clips per minute sent for recognition; the server accepts thirty from one address. */
const CLIPS_A_MINUTE = 24
const MINUTE = 60_000

export interface ChatVoice {
  readonly talk: Talk
  readonly listening: Readable<ListeningPhase>
  readonly services: VoiceServices
  /** Starts reading responses aloud; the returned function ends all speaking and listening. */
  attach(): () => void
  /** Starts recording; the agent falls silent. */
  start(): void
  /** Records, or stops recording and sends the result. */
  toggle(): void
  /** Starts or stops listening for the wake phrase. */
  toggleListening(): Promise<void>
  stopListening(): void
  /** Current loudness, 0 to 1. */
  level(): number
}

/** Speaking and listening in one chat, while it is on screen. */
export function createChatVoice(app: AppServices, chat: ChatStore): ChatVoice {
  const listening = createObservable<ListeningPhase>("off")
  let microphone: Listening | null = null
  let conversation: HandsFreeState = { phase: "waiting" }
  let clips: ReadonlyArray<number> = []
  /** Turns that end up to and including the response to the spoken message; 0 when none is expected. */
  let turnsToAnswer = 0
  const services = voiceServices(app)

  function start(): void {
    unlockAudio()
    services.speaker.stop()
    stopListening()
    void talk.start()
  }

  function stopListening(): void {
    microphone?.stop()
    microphone = null
    listening.set("off")
  }

  async function hear(clip: Blob, phrases: PhraseSet): Promise<void> {
    const now = Date.now()
    clips = clips.filter((at) => now - at < MINUTE)
    // While the agent is speaking, the microphone hears the agent.
    if (services.speaker.speaking.get() || clips.length >= CLIPS_A_MINUTE) return
    clips = [...clips, now]
    const result = await services.api.transcribe(clip, new AbortController().signal)
    if (listening.get() === "off") return
    if (!result.ok) {
      stopListening()
      app.notices.show("error", result.message)
      return
    }
    const step = heard(conversation, result.value, phrases)
    conversation = step.state
    listening.set(step.state.phase)
    if (step.action.type === "send") take(step.action.text, "send")
    if (step.action.type === "cancel") app.notices.show("info", say("Recording discarded."))
  }

  function take(words: string, way: "send" | "edit"): void {
    if (way === "edit") {
      compose({ text: words, images: [] })
      return
    }
    turnsToAnswer = chat.state.get().running ? 2 : 1
    chat.send(asSpoken(words))
  }

  function answered({ outcome, text }: TurnEnd): void {
    const isAnswer = turnsToAnswer === 1
    if (turnsToAnswer > 0) turnsToAnswer -= 1
    const { readAloud } = services.preferences.state.get()
    const isWanted = readAloud === "always" || (readAloud === "spoken" && isAnswer)
    if (outcome === "done" && isWanted) void services.speaker.say(spokenReply(text))
  }

  const talk = createTalk({
    now: () => Date.now(),
    record,
    transcribe: services.api.transcribe,
    onWords: (words) => take(words, services.preferences.state.get().afterTalk),
    onProblem: (message) => app.notices.show("error", message)
  })

  return {
    talk,
    listening,
    services,
    attach: () => {
      const stop = chat.onTurnEnd((turn) => answered(turn))
      return () => {
        stop()
        talk.cancel()
        stopListening()
        services.speaker.stop()
      }
    },
    start,
    toggle: () => {
      if (talk.state.get().phase === "idle") start()
      else void talk.finish()
    },
    toggleListening: async () => {
      if (listening.get() !== "off") return stopListening()
      unlockAudio()
      talk.cancel()
      listening.set("starting")
      const phrases = await services.phrases()
      if (phrases === null) {
        listening.set("off")
        app.notices.show("error", say("Couldn't load the voice phrases. Try again."))
        return
      }
      try {
        const made = await listenForClips((clip) => void hear(clip, phrases))
        if (listening.get() !== "starting") return made.stop()
        microphone = made
        conversation = { phase: "waiting" }
        listening.set("waiting")
      } catch (reason) {
        listening.set("off")
        app.notices.show("error", reason instanceof Error ? reason.message : say("Couldn't use the microphone."))
      }
    },
    stopListening,
    level: () => microphone?.level() ?? talk.level()
  }
}
