import { isMultilingual, type SttModelId } from "../stt/modelCatalogue.ts"
import { LANGUAGE_FACTS } from "./languages.ts"

/** What each language can be spoken and heard by, with the local model that is chosen (SPEC "Transcription, language …"). */
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
