import type { SttModelId } from "../../../contract/schema/voice.ts"
import { isMultilingual } from "../stt/modelCatalogue.ts"
import { LANGUAGE_FACTS } from "./languages.ts"

/** The providers that can speak and recognise each language, with the chosen local model. */
export const languageSupport = (currentModel: SttModelId) => ({
  languages: LANGUAGE_FACTS.map(({ code, name, nativeName, voices, aliasName, vendorASpeaks }) => ({
    code,
    name,
    nativeName,
    edgeTtsVoices: voices,
    stt: { local: code === "en" || isMultilingual(currentModel), vendor_a: true },
    tts: { free: true, alias: aliasName !== undefined, vendor_a: vendorASpeaks }
  })),
  currentModel,
  isMultilingual: isMultilingual(currentModel)
})
