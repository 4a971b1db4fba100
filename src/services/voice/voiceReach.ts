import type { VoiceReach, VoiceService } from "../../contract/answers/VoiceAnswers.ts"
import { isOnThisMachine, mayReach } from "../platform/outgoing/mayReach.ts"
import type { SettingsShape } from "../platform/settings/Settings.ts"
import { providerFor, speakerAddress } from "./tts/speechPlan.ts"

/** What people know a host as. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["speech.platform.bing.com", "Microsoft"],
  ["api.openai.com", "OpenAI"],
  ["api.replicate.com", "Replicate"],
  ["huggingface.co", "Hugging Face"]
])

/** Where texts and recordings would go, and speech models come from, as the settings have it. */
export const voiceReach = (settings: SettingsShape): VoiceReach => {
  const at = (address: string): VoiceService => {
    const { hostname } = new URL(address)
    return {
      name: NAMES.get(hostname) ?? hostname,
      isOnline: !isOnThisMachine(address),
      isOff: !mayReach(settings, address)
    }
  }
  return {
    automatic: providerFor(settings),
    speakers: {
      vendor_a: at(speakerAddress(settings, "vendor_a")),
      vendor_b: at(speakerAddress(settings, "vendor_b")),
      free: at(speakerAddress(settings, "free")),
      alias: at(speakerAddress(settings, "alias"))
    },
    models: at(settings.sttModelBaseUrl)
  }
}
