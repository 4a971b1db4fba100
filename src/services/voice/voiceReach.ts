import type { VoiceReach, VoiceService } from "../../contract/schema/voice.ts"
import { isOnThisMachine, mayReach } from "../platform/outgoing/OutgoingHttp.ts"
import type { SettingsShape } from "../platform/settings/Settings.ts"
import { providerFor, speakerAddress } from "./tts/speechPlan.ts"

/** The product names of known hosts. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["speech.platform.bing.com", "Microsoft"],
  ["api.openai.com", "OpenAI"],
  ["api.replicate.com", "Replicate"],
  ["huggingface.co", "Hugging Face"]
])

/** The hosts that get texts and recordings, and the source of speech models, according to the settings. */
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
    models: at(settings.sttModelBaseUrl),
    recogniser: at(settings.vendorABaseUrl)
  }
}
