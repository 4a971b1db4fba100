const services = "src/services"

/** Sentences about speaking and listening, by the server's file; `{}` is a value. */
export const VOICE_IN_SOURCES: Readonly<Record<string, ReadonlyArray<string>>> = {
  [`${services}/voice/vendors/vendorCall.ts`]: [
    "{} didn't answer within {}: try again",
    "couldn't reach {}, or the connection broke: check the connection, and its address in {}, then try again",
    "{} returned something unexpected: check its address in {}",
    "{} needs a key: add it to {} and restart the console, or choose something else in Settings › Voice",
    "{} rejected the key: check it in {}",
    "{} answered with a redirect, which isn't followed: set its address in {} to where it leads",
    "{} requires payment: check the account",
    "too many requests to {}; try again in {} s",
    "{} failed ({}): try again later",
    "{} rejected the request ({}): check the voice, model and language"
  ],
  [`${services}/voice/tts/providers/free.ts`]: [
    "can't read aloud: the free voices can't be reached. Check the internet connection of the console's machine",
    "the free voices stopped in the middle: try again",
    "too many requests to the free voices; try again in {} s",
    "the free voices returned no audio: check that the voice speaks this language"
  ],
  [`${services}/voice/tts/providers/vendorB.ts`]: [
    "Replicate's model must have the form <owner>/<name>",
    "Replicate couldn't speak the text: check the voice and language",
    "Replicate wasn't ready within {}: try again later"
  ],
  [`${services}/voice/stt/SttModels.ts`]: ["the demo downloads no speech model, so it can't hear you"],
  [`${services}/voice/tts/Speech.ts`]: ["the demo reads nothing aloud, since an online voice would get the text"],
  [`${services}/push/PushDevices.ts`]: ["the demo sends no notifications, since a push service would pass them on"],
  [`${services}/usage/limits/AgentLimits.ts`]: ["the demo asks nobody for the limits: nothing leaves this machine"],
  "src/layers/UpdateCheckLive.ts": ["the demo doesn't look for updates, since nothing of it leaves this machine"],
  [`${services}/voice/tts/spokenAudio.ts`]: [
    "the provider returned no audio: try again",
    "the provider returned far too much audio for this text"
  ],
  [`${services}/voice/audio/audioTool.ts`]: [
    "couldn't run ffmpeg: install it (Debian and Ubuntu: apt install ffmpeg; macOS: brew install ffmpeg) or set FFMPEG_COMMAND",
    "ffmpeg didn't finish within {} and was stopped: try a shorter recording",
    "couldn't read the audio: it's damaged or in an unknown format"
  ],
  [`${services}/voice/stt/localRecogniser.ts`]: [
    "the recognition didn't finish within {} and was stopped: try a smaller model or a shorter recording",
    "couldn't start the recogniser: try again"
  ],
  [`${services}/voice/stt/recogniserInput.ts`]: ["the recording is longer than 30 minutes: send it in parts"],
  [`${services}/voice/stt/vendorRecogniser.ts`]: ["couldn't read the recording: send it again"],
  [`${services}/voice/stt/Transcription.ts`]: [
    "too many recordings are waiting; try again in {} s",
    "local recognition isn't available on this system: choose OpenAI, or a compatible server, in the settings",
    "the recogniser failed on this recording: try again, or choose another model",
    "the speech model {} ({}) is being downloaded: try again when it's ready",
    "the speech model {} was damaged and is being downloaded again: try again when it's ready"
  ],
  "src/http/voice/stt/SttApi.ts": ["file: the recording is empty", "the recording must be {}"],
  [`${services}/voice/phrases/phraseRules.ts`]: ["must be a language code of two letters (ISO 639-1)"]
}
