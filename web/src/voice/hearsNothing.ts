import { createSoundMeter } from "../../../src/contract/silence.ts"
import { SPEECH_RATE } from "../core/voice/wavFile.ts"
import { decoded } from "./convertRecording.ts"

/** Whether a recording of this browser is silent. What can't be read is for the server to judge. */
export const hearsNothing = async (recording: Blob): Promise<boolean> => {
  const sound = await decoded(recording, SPEECH_RATE).catch(() => null)
  if (sound === null) return false
  return Array.from({ length: sound.numberOfChannels }, (_, index) => sound.getChannelData(index)).every((samples) => {
    const meter = createSoundMeter(SPEECH_RATE)
    for (const sample of samples) meter.add(sample)
    return meter.isSilent()
  })
}
