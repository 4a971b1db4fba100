import { MODEL_SIZES, type SttModelId } from "../stt/modelCatalogue.ts"
import { type Finding, ok, warning } from "./doctorCheck.ts"

/** Whether the model that hears on this machine is there (D71). */
export const localSpeechFinding = (model: SttModelId, isReady: boolean): Finding =>
  isReady
    ? ok(`${model} is here.`)
    : warning(
        `${model} (${MODEL_SIZES[model]}) is not on this machine yet.`,
        "Choose it in the settings of voice, or just speak: it is then downloaded."
      )

/** Whether the vendor that hears can be asked. */
export const vendorSpeechFinding = (hasKey: boolean): Finding =>
  hasKey
    ? ok("None is needed: vendor_a recognises speech.")
    : warning(
        "vendor_a is to recognise speech, and there is no key for it.",
        "Set VENDOR_A_API_KEY, or STT_PROVIDER=local to recognise it on this machine."
      )
