import { say } from "../language/say.ts"
import { type DictationState, sendsTo } from "./Dictation.ts"
import type { SpeechModelState } from "./SpeechModel.ts"
import type { RecorderPhase } from "./VoiceRecorder.ts"
import type { VoicePreferences } from "./voicePreferences.ts"

/** What hands-free listening does: nothing, get the microphone, wait for the wake phrase, or record a message. */
export type ListeningPhase = "off" | "starting" | "waiting" | "awake"

/** What can be pressed in the strip. */
export type StripAction = "setUp" | "notNow" | "again" | "discard"

export interface StripView {
  /** Empty while there's nothing to say. */
  readonly text: string
  /** Whether the microphone's loudness is shown. */
  readonly hasMeter: boolean
  /** How much of the model is there, 0 to 100; null without a download. */
  readonly percent: number | null
  readonly actions: ReadonlyArray<{ readonly action: StripAction; readonly label: string }>
  /** Whether what's recorded can be dropped by a cross. */
  readonly canDrop: boolean
}

/** What the strip speaks of. */
export interface StripFacts {
  readonly talk: RecorderPhase
  readonly listening: ListeningPhase
  readonly dictation: DictationState
  readonly model: SpeechModelState
  /** Whether setting up dictation is offered, or was agreed to. */
  readonly setup: "none" | "offered" | "agreed"
  readonly afterTalk: VoicePreferences["afterTalk"]
}

const TALKING: Readonly<Record<Exclude<RecorderPhase, "idle">, string>> = {
  starting: say("Starting the microphone…"),
  recording: say("Speak now")
}

const LISTENING: Readonly<Record<Exclude<ListeningPhase, "off">, string>> = {
  starting: say("Starting the microphone…"),
  waiting: say("Waiting for the wake phrase"),
  awake: say("Listening. Say a stop phrase to finish")
}

const view = (text: string, more: Partial<StripView> = {}): StripView => ({
  text,
  hasMeter: false,
  percent: null,
  actions: [],
  canDrop: false,
  ...more
})

/** What a saved recording's first button says; all of them go on with it. */
const OFFERS: Readonly<Record<DictationState["offer"], string>> = {
  again: say("Try again"),
  use: say("Use it"),
  setUp: say("Set up dictation"),
  allow: say("Allow it")
}
const DISCARD = { action: "discard", label: say("Discard") } as const
const SET_UP = { action: "setUp", label: say("Set up dictation") } as const
const SET_UP_AGAIN = { action: "setUp", label: say("Try again") } as const
const ALLOW = { action: "setUp", label: OFFERS.allow } as const
const NOT_NOW = { action: "notNow", label: say("Not now") } as const

const setupView = ({ model, setup }: StripFacts): StripView | null => {
  const { percent, size, source, status } = model
  if (setup === "none") return null
  if (setup === "agreed" && status === "downloading")
    return view(say("Setting up dictation ({size}).", { size }), { percent, actions: [NOT_NOW] })
  if (setup === "agreed" && status === "failed")
    return view(say("Couldn't download the speech model. Check the internet connection of the console's machine."), {
      actions: [SET_UP_AGAIN, NOT_NOW]
    })
  if (setup === "agreed") return null
  if (status === "unagreed") return view(sendsTo(source), { actions: [ALLOW, NOT_NOW] })
  return view(
    say("Dictation needs a speech model. The console downloads it once from {source} ({size}).", { size, source }),
    { actions: [SET_UP, NOT_NOW] }
  )
}

/** What the strip above the composer says, and what can be done there. */
export const stripView = (facts: StripFacts): StripView => {
  const { afterTalk, dictation, listening, model, talk } = facts
  if (talk !== "idle") return view(TALKING[talk], { hasMeter: true, canDrop: true })
  switch (dictation.phase) {
    case "transcribing":
      return view(say("Transcribing…"), { canDrop: true })
    case "setup":
      return view(
        afterTalk === "send"
          ? say("Setting up dictation ({size}). Your recording is saved and will be sent next.", { size: model.size })
          : say("Setting up dictation ({size}). Your recording is saved and will be transcribed next.", {
              size: model.size
            }),
        { percent: model.percent, actions: [DISCARD] }
      )
    case "saved":
      return view(dictation.message, { actions: [{ action: "again", label: OFFERS[dictation.offer] }, DISCARD] })
    case "idle":
  }
  const setup = setupView(facts)
  if (setup !== null) return setup
  return listening === "off" ? view("") : view(LISTENING[listening], { hasMeter: true })
}
