import { rateFor, SPEECH_RATE, wavFile } from "../core/voice/wavFile.ts"

/** A recording of this browser as samples of this rate. */
export const decoded = async (recording: Blob, rate: number): Promise<AudioBuffer> =>
  // The browser resamples to the rate of the context.
  new OfflineAudioContext(1, 1, rate).decodeAudioData(await recording.arrayBuffer())

/** A recording of this browser as WAV for speech recognition; rejects if the browser can't read it. */
export const convertRecording = async (recording: Blob): Promise<Blob> => {
  const first = await decoded(recording, SPEECH_RATE)
  const rate = rateFor(first.duration)
  const sound = rate === SPEECH_RATE ? first : await decoded(recording, rate)
  const channels = Array.from({ length: sound.numberOfChannels }, (_, index) => sound.getChannelData(index))
  return wavFile(channels, rate)
}
