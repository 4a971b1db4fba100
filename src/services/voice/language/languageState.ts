import type { SettingsShape } from "../../platform/settings/Settings.ts"
import { factsOf, LANGUAGE_FACTS } from "./languages.ts"
import type { VoiceChoice } from "./VoiceLanguage.ts"

/** The chosen language, all available ones, and which configured providers speak it. */
export const languageState = (choice: VoiceChoice, settings: Pick<SettingsShape, "vendorAKey" | "vendorBToken">) => {
  const { aliasName, vendorASpeaks } = factsOf(choice.language)
  return {
    ...choice,
    supported: LANGUAGE_FACTS.map(({ code, name, nativeName }) => ({ code, name, nativeName })),
    providers: {
      free: true,
      alias: settings.vendorBToken !== undefined && aliasName !== undefined,
      vendor_a: settings.vendorAKey !== undefined && vendorASpeaks
    }
  }
}
