import { Effect } from "effect"
import type { HttpClient } from "effect/http"
import type { TtsProvider } from "../../../contract/schema/voice.ts"
import type { SettingsShape } from "../../platform/settings/Settings.ts"
import { free } from "./providers/free.ts"
import { vendorA, vendorB } from "./providers/vendors.ts"
import type { SpeechPlan } from "./speechPlan.ts"
import { type Emit, sayPieces, splitText } from "./spokenAudio.ts"

const SOURCES = {
  vendor_a: vendorA,
  vendor_b: vendorB,
  alias: vendorB,
  free: (_: HttpClient.HttpClient, settings: SettingsShape, plan: SpeechPlan) => free(settings, plan)
} as const satisfies Record<TtsProvider, unknown>

/** Makes a plan's audio with its provider; loaded with the first text. */
export const synthesise = (client: HttpClient.HttpClient, settings: SettingsShape, plan: SpeechPlan, emit: Emit) =>
  Effect.suspend(() => {
    const source = SOURCES[plan.provider](client, settings, plan)
    const pieces = splitText(plan.text, plan.language.code, source.fits)
    return sayPieces(settings.ffmpegCommand, source, pieces, emit)
  })
