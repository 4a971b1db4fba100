import type { PhraseSet } from "../../../src/contract/schema/voice.ts"
import { createSoundMeter } from "../../../src/contract/silence.ts"
import { asSpoken } from "../../../src/contract/spokenMessage.ts"
import type { AppServices } from "../base/AppContext.ts"
import { putBack } from "../base/putBack.ts"
import { createObservable, type Readable } from "../core/common/Observable.ts"
import type { ChatStore, TurnEnd } from "../core/conversation/chatTypes.ts"
import { say } from "../core/language/say.ts"
import { CONSOLE_AWAY } from "../core/link/ApiClient.ts"
import { uuid } from "../core/link/browserEnvironment.ts"
import { createDictation, type Dictation } from "../core/voice/Dictation.ts"
import { type HandsFreeState, withWords } from "../core/voice/handsFree.ts"
import type { SpeechModelStatus } from "../core/voice/SpeechModel.ts"
import { spokenReply } from "../core/voice/spokenText.ts"
import { createVoiceRecorder, type VoiceRecorder } from "../core/voice/VoiceRecorder.ts"
import type { ListeningPhase, StripAction, StripFacts } from "../core/voice/voiceStrip.ts"
import { SPEECH_RATE } from "../core/voice/wavFile.ts"
import { decoded } from "./convertRecording.ts"
import { holdRecording, isRecorded, type Listening, listenForClips, record } from "./microphone.ts"
import { unlockAudio } from "./playAudio.ts"
import { type VoiceServices, voiceServices } from "./voiceServices.ts"

/** Whether a recording of this browser is silent. What can't be read is for the server to judge. */
const isSilentRecording = async (recording: Blob): Promise<boolean> => {
  const sound = await decoded(recording, SPEECH_RATE).catch(() => null)
  if (sound === null) return false
  return Array.from({ length: sound.numberOfChannels }, (_, index) => sound.getChannelData(index)).every((samples) => {
    const meter = createSoundMeter(SPEECH_RATE)
    for (const sample of samples) meter.add(sample)
    return meter.isSilent()
  })
}

/** Clips per minute sent for recognition; the server accepts thirty from one address. */
const CLIPS_A_MINUTE = 24
const MINUTE = 60_000

export interface ChatVoice {
  readonly talk: VoiceRecorder
  /** What becomes of recordings. */
  readonly dictation: Dictation
  /** Whether setting up dictation is offered, or was agreed to. */
  readonly setup: Readable<StripFacts["setup"]>
  readonly listening: Readable<ListeningPhase>
  readonly services: VoiceServices
  /** Starts reading responses aloud; the returned function ends all speaking and listening. */
  attach(): () => void
  /** Starts recording; the agent falls silent. */
  start(): void
  /** Records, or stops recording and sends the result; what is being transcribed is dropped. */
  toggle(): void
  /** Discards what is recorded or transcribed now; false if there's nothing. */
  drop(): boolean
  /** Does what a button of the strip says. */
  act(action: StripAction): void
  /** Starts or stops listening for the wake phrase. */
  toggleListening(): Promise<void>
  stopListening(): void
  /** Current loudness, 0 to 1. */
  level(): number
}

/** Speaking and listening in one chat, while it is on screen. */
export function createChatVoice(app: AppServices, chat: ChatStore, sessionKey: string): ChatVoice {
  const setup = createObservable<StripFacts["setup"]>("none")
  const listening = createObservable<ListeningPhase>("off")
  let microphone: Listening | null = null
  let conversation: HandsFreeState = { phase: "waiting" }
  let clips: ReadonlyArray<number> = []
  /** Turns that end up to and including the response to the spoken message; 0 when none is expected. */
  let turnsToAnswer = 0
  let isShown = false
  const services = voiceServices(app)

  function start(): void {
    unlockAudio()
    services.speaker.stop()
    stopListening()
    setup.set("none")
    void talk.start()
  }

  /** Whether something can be recognised, or at least is coming; otherwise it's offered, or said why not. */
  async function isSetUp(): Promise<boolean> {
    const { model } = services
    const known: ReadonlyArray<SpeechModelStatus> = ["ready", "downloading"]
    const isKnown = known.includes(model.state.get().status)
    // What changed meanwhile is known the next time, and nobody waits for it.
    const asked = model.read()
    const { status } = isKnown ? model.state.get() : await asked
    if (status === "off") app.notices.show("info", say("The demo downloads no speech model, so it can't hear you."))
    if (status === "missing" || status === "failed" || status === "unagreed") setup.set("offered")
    return status === "unknown" || known.includes(status)
  }

  async function setUp(): Promise<void> {
    setup.set("agreed")
    const result = await services.model.setUp()
    if (!result.ok) app.notices.show("error", result.message)
  }

  function stopListening(): void {
    microphone?.stop()
    microphone = null
    listening.set("off")
  }

  async function transcribeClip(clip: Blob, phrases: PhraseSet): Promise<void> {
    const now = Date.now()
    clips = clips.filter((at) => now - at < MINUTE)
    // While the agent is speaking, the microphone records the agent.
    if (services.speaker.speaking.get() || clips.length >= CLIPS_A_MINUTE) return
    // Nothing is sent before it's known to whom, and the settings may have changed while it listened.
    const { status } = services.model.state.get()
    if (status === "unagreed" || status === "unknown") {
      stopListening()
      if (status === "unagreed") setup.set("offered")
      else app.notices.show("error", CONSOLE_AWAY)
      return
    }
    clips = [...clips, now]
    const result = await services.api.transcribe(clip, new AbortController().signal)
    if (listening.get() === "off") return
    if (!result.ok) {
      stopListening()
      app.notices.show("error", result.message)
      return
    }
    const step = withWords(conversation, result.value, phrases)
    conversation = step.state
    listening.set(step.state.phase)
    if (step.action.type === "send") deliverWords(step.action.text, "send")
    if (step.action.type === "cancel") app.notices.show("info", say("Recording discarded."))
  }

  function deliverWords(words: string, way: "send" | "edit"): void {
    if (way === "edit") {
      putBack(app, sessionKey, { text: words, images: [] })
      return
    }
    turnsToAnswer = chat.state.get().running ? 2 : 1
    chat.send(asSpoken(words))
  }

  async function answered({ outcome, text }: TurnEnd): Promise<void> {
    const isAnswer = turnsToAnswer === 1
    if (turnsToAnswer > 0) turnsToAnswer -= 1
    const { readAloud } = services.preferences.state.get()
    const isWanted = readAloud === "always" || (readAloud === "spoken" && isAnswer)
    if (outcome !== "done" || !isWanted) return
    const words = await spokenReply(text).catch(() => "")
    if (isShown) await services.speaker.say(words)
  }

  const onProblem = (message: string) => app.notices.show("error", message)
  const dictation = createDictation({
    sessionKey,
    now: () => Date.now(),
    newId: uuid,
    shelf: services.shelf,
    hold: holdRecording,
    isHeld: isRecorded,
    model: services.model,
    isSilent: isSilentRecording,
    transcribe: services.api.transcribe,
    // Words for the composer would come into another chat's.
    mayComeLater: () => services.preferences.state.get().afterTalk === "send",
    onWords: (words) => deliverWords(words, services.preferences.state.get().afterTalk),
    onProblem
  })
  const talk = createVoiceRecorder({
    now: () => Date.now(),
    record: async (onGrow) => ((await isSetUp()) ? record(onGrow) : null),
    keep: dictation.keep,
    onProblem
  })

  function drop(): boolean {
    if (talk.state.get().phase !== "idle") talk.cancel()
    else if (dictation.state.get().phase === "transcribing") void dictation.discard()
    else return false
    return true
  }

  return {
    talk,
    dictation,
    setup,
    listening,
    services,
    attach: () => {
      isShown = true
      const stops = [
        chat.onTurnEnd((turn) => void answered(turn)),
        services.model.open(),
        dictation.open(),
        app.client.events.connected.subscribe((isUp) => {
          if (isUp) dictation.reconnected()
        }),
        services.model.state.subscribe(({ status }) => {
          if (status !== "ready" || setup.get() !== "agreed") return
          setup.set("none")
          app.notices.show("info", say("Dictation is set up. Press the microphone and speak."))
        })
      ]
      return () => {
        isShown = false
        void talk.leave()
        for (const stop of stops) stop()
        stopListening()
        services.speaker.stop()
      }
    },
    start,
    toggle: () => {
      if (talk.state.get().phase !== "idle") void talk.finish()
      else if (!drop()) start()
    },
    drop,
    act: (action) => {
      if (action === "setUp") void setUp()
      else if (action === "notNow") setup.set("none")
      else if (action === "again") void dictation.again()
      else void dictation.discard()
    },
    toggleListening: async () => {
      if (listening.get() !== "off") return stopListening()
      unlockAudio()
      talk.cancel()
      setup.set("none")
      listening.set("starting")
      if (!(await isSetUp())) return stopListening()
      const phrases = await services.phrases()
      if (phrases === null) {
        listening.set("off")
        app.notices.show("error", say("Couldn't load the voice phrases. Try again."))
        return
      }
      try {
        const made = await listenForClips((clip) => void transcribeClip(clip, phrases))
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
