import { MODEL_SIZES, type SttModelId } from "../../voice/stt/modelCatalogue.ts"
import { type Finding, ok, warning } from "./doctorCheck.ts"

/** What only speech needs; the demo does without it and has nothing to set up. */
export const forDemo = (finding: Finding): Finding =>
  finding.state === "warning" ? ok("Not needed for the demo.") : finding

/** Whether the local speech recognition model is installed. */
export const localSpeechFinding = (model: SttModelId, isReady: boolean): Finding =>
  isReady
    ? ok(`${model} is installed.`)
    : warning(
        `${model} (${MODEL_SIZES[model]}) hasn't been downloaded yet.`,
        "Choose it in Settings › Voice, or press the microphone in a chat: setting it up is offered there."
      )

/** Whether the speech recognition vendor has a key. */
export const vendorSpeechFinding = (hasKey: boolean): Finding =>
  hasKey
    ? ok("Not needed: OpenAI or a compatible service recognises speech.")
    : warning(
        "OpenAI or a compatible service is set to recognise speech, but it has no key.",
        "Add its key to the console's .env file, or choose this machine in Settings › Voice."
      )
