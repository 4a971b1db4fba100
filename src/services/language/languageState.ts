import type { SettingsShape } from "../settings/Settings.ts"
import { factsOf, LANGUAGE_FACTS } from "./languages.ts"
import type { VoiceChoice } from "./VoiceLanguage.ts"

/** The chosen language with all there are, and which providers speak it as they are set up (SPEC `GET /api/language`). */
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
