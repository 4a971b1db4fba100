import { failure } from "../../../contract/failures.ts"
import type { SttModelId } from "../../../contract/schema/voice.ts"
import { MODEL_SIZES } from "../../voice/stt/modelCatalogue.ts"
import { type Finding, ok, warning } from "./doctorCheck.ts"

/** What only speech needs; the demo does without it and has nothing to set up. */
export const forDemo = (finding: Finding): Finding =>
  finding.state === "warning" ? ok(failure("NOT_NEEDED_FOR_DEMO")) : finding

/** Whether the local speech recognition model is installed. */
export const localSpeechFinding = (model: SttModelId, isReady: boolean): Finding =>
  isReady
    ? ok(failure("SPEECH_MODEL_INSTALLED", { model }))
    : warning(
        failure("SPEECH_MODEL_NOT_DOWNLOADED", { model, size: MODEL_SIZES[model] }),
        failure("CHOOSE_SPEECH_MODEL")
      )

/** Whether the speech recognition vendor has a key. */
export const vendorSpeechFinding = (hasKey: boolean): Finding =>
  hasKey ? ok(failure("SPEECH_BY_SERVICE")) : warning(failure("SPEECH_KEY_MISSING"), failure("ADD_SPEECH_KEY"))
