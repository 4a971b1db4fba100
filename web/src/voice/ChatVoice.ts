import type { PhraseSet } from "../../../src/contract/answers/VoiceAnswers.ts"
import type { AppServices } from "../base/AppContext.ts"
import { compose } from "../base/compose.ts"
import { createObservable } from "../core/common/Observable.ts"
import type { ChatStore, TurnEnd } from "../core/conversation/chatTypes.ts"
import { type HandsFreeState, heard } from "../core/voice/handsFree.ts"
import { spokenReply } from "../core/voice/spokenReply.ts"
import { asSpoken } from "../core/voice/spokenText.ts"
import { Talk } from "../core/voice/Talk.ts"
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

/** Speaking and listening in one chat, while it is on screen. */
export class ChatVoice {
  readonly talk: Talk
  readonly listening = createObservable<ListeningPhase>("off")
  readonly services: VoiceServices
  private readonly app: AppServices
  private readonly chat: ChatStore
  private microphone: Listening | null = null
  private conversation: HandsFreeState = { phase: "waiting" }
  private clips: ReadonlyArray<number> = []
  /** Turns that end up to and including the response to the spoken message; 0 when none is expected. */
  private turnsToAnswer = 0

  constructor(app: AppServices, chat: ChatStore) {
    this.app = app
    this.chat = chat
    this.services = voiceServices(app)
    this.talk = new Talk({
      now: () => Date.now(),
      record,
      transcribe: this.services.api.transcribe,
      onWords: (words) => this.take(words, this.services.preferences.state.get().afterTalk),
      onProblem: (message) => app.notices.show("error", message)
    })
  }

  /** Starts reading responses aloud; the returned function ends all speaking and listening. */
  attach(): () => void {
    const stop = this.chat.onTurnEnd((turn) => this.answered(turn))
    return () => {
      stop()
      this.talk.cancel()
      this.stopListening()
      this.services.speaker.stop()
    }
  }

  /** Starts recording; the agent falls silent. */
  start(): void {
    unlockAudio()
    this.services.speaker.stop()
    this.stopListening()
    void this.talk.start()
  }

  /** Records, or stops recording and sends the result. */
  toggle(): void {
    if (this.talk.state.get().phase === "idle") this.start()
    else void this.talk.finish()
  }

  /** Starts or stops listening for the wake phrase. */
  async toggleListening(): Promise<void> {
    if (this.listening.get() !== "off") return this.stopListening()
    unlockAudio()
    this.talk.cancel()
    this.listening.set("starting")
    const phrases = await this.services.phrases()
    if (phrases === null) {
      this.listening.set("off")
      this.app.notices.show("error", "Couldn't load the voice phrases. Try again.")
      return
    }
    try {
      const microphone = await listenForClips((clip) => void this.hear(clip, phrases))
      if (this.listening.get() !== "starting") return microphone.stop()
      this.microphone = microphone
      this.conversation = { phase: "waiting" }
      this.listening.set("waiting")
    } catch (reason) {
      this.listening.set("off")
      this.app.notices.show("error", reason instanceof Error ? reason.message : "Couldn't use the microphone.")
    }
  }

  stopListening(): void {
    this.microphone?.stop()
    this.microphone = null
    this.listening.set("off")
  }

  /** Current loudness, 0 to 1. */
  level(): number {
    return this.microphone?.level() ?? this.talk.level()
  }

  private async hear(clip: Blob, phrases: PhraseSet): Promise<void> {
    const now = Date.now()
    this.clips = this.clips.filter((at) => now - at < MINUTE)
    // While the agent is speaking, the microphone hears the agent.
    if (this.services.speaker.speaking.get() || this.clips.length >= CLIPS_A_MINUTE) return
    this.clips = [...this.clips, now]
    const result = await this.services.api.transcribe(clip, new AbortController().signal)
    if (this.listening.get() === "off") return
    if (!result.ok) {
      this.stopListening()
      this.app.notices.show("error", result.message)
      return
    }
    const step = heard(this.conversation, result.value, phrases)
    this.conversation = step.state
    this.listening.set(step.state.phase)
    if (step.action.type === "send") this.take(step.action.text, "send")
    if (step.action.type === "cancel") this.app.notices.show("info", "Recording discarded.")
  }

  private take(words: string, way: "send" | "edit"): void {
    if (way === "edit") {
      compose({ text: words, images: [] })
      return
    }
    this.turnsToAnswer = this.chat.state.get().running ? 2 : 1
    this.chat.send(asSpoken(words))
  }

  private answered({ outcome, text }: TurnEnd): void {
    const isAnswer = this.turnsToAnswer === 1
    if (this.turnsToAnswer > 0) this.turnsToAnswer -= 1
    const { readAloud } = this.services.preferences.state.get()
    const isWanted = readAloud === "always" || (readAloud === "spoken" && isAnswer)
    if (outcome === "done" && isWanted) void this.services.speaker.say(spokenReply(text))
  }
}
