/** Why speech failed. */
export const VOICE_FAILURES = {
  VOICE_TIMED_OUT: "{name} didn't answer within {span}: try again",
  VOICE_UNREACHABLE:
    "couldn't reach {name}, or the connection broke: check the connection, and its address in {file}, then try again",
  VOICE_UNEXPECTED: "{name} returned something unexpected: check its address in {file}",
  VOICE_KEY_MISSING:
    "{name} needs a key: add it to {file} and restart the console, or choose something else in Settings › Voice",
  VOICE_KEY_REJECTED: "{name} rejected the key: check it in {file}",
  VOICE_REDIRECTED:
    "{name} answered with a redirect, which isn't followed: set its address in {file} to where it leads",
  VOICE_PAYMENT: "{name} requires payment: check the account",
  VOICE_RATE_LIMITED: "too many requests to {name}; try again in {seconds} s",
  VOICE_FAILED: "{name} failed ({status}): try again later",
  VOICE_REQUEST_REJECTED: "{name} rejected the request ({status}): check the voice, model and language",
  FREE_VOICES_UNREACHABLE:
    "can't read aloud: the free voices can't be reached. Check the internet connection of the console's machine",
  VOICE_OFF_IN_DEMO: "the demo reads nothing aloud, since an online voice would get the text",
  HEARING_OFF_IN_DEMO: "the demo downloads no speech model, so it can't hear you",
  FREE_VOICES_STOPPED: "the free voices stopped in the middle: try again",
  FREE_VOICES_RATE_LIMITED: "too many requests to the free voices; try again in {seconds} s",
  FREE_VOICES_SILENT: "the free voices returned no audio: check that the voice speaks this language",
  REPLICATE_MODEL_FORM: "Replicate's model must have the form <owner>/<name>",
  REPLICATE_FAILED: "Replicate couldn't speak the text: check the voice and language",
  REPLICATE_TIMED_OUT: "Replicate wasn't ready within {span}: try again later",
  NO_AUDIO: "the provider returned no audio: try again",
  TOO_MUCH_AUDIO: "the provider returned far too much audio for this text",
  FFMPEG_MISSING:
    "couldn't run ffmpeg: install it (Debian and Ubuntu: apt install ffmpeg; macOS: brew install ffmpeg) or set FFMPEG_COMMAND",
  FFMPEG_TIMED_OUT: "ffmpeg didn't finish within {span} and was stopped: try a shorter recording",
  AUDIO_UNREADABLE: "couldn't read the audio: it's damaged or in an unknown format",
  RECOGNITION_TIMED_OUT:
    "the recognition didn't finish within {span} and was stopped: try a smaller model or a shorter recording",
  RECOGNISER_NOT_STARTED: "couldn't start the recogniser: try again",
  RECORDING_TOO_LONG: "the recording is longer than 30 minutes: send it in parts",
  TOO_MANY_RECORDINGS: "too many recordings are waiting; try again in {seconds} s",
  RECOGNITION_UNAVAILABLE:
    "local recognition isn't available on this system: choose OpenAI, or a compatible server, in the settings",
  RECOGNISER_FAILED: "the recogniser failed on this recording: try again, or choose another model",
  MODEL_DOWNLOADING: "the speech model {model} ({size}) is being downloaded: try again when it's ready",
  MODEL_DAMAGED: "the speech model {model} was damaged and is being downloaded again: try again when it's ready",
  RECORDING_UNREADABLE: "couldn't read the recording: send it again",
  RECORDING_EMPTY: "the recording is empty",
  RECORDING_TYPE: "the recording must be {types}"
} as const
