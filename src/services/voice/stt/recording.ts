import { Result, Schema } from "effect"

/** Accepted audio types with their file extensions. */
const ENDINGS: ReadonlyMap<string, string> = new Map([
  ["audio/webm", "webm"],
  ["audio/mp3", "mp3"],
  ["audio/mpeg", "mp3"],
  ["audio/mp4", "mp4"],
  ["audio/m4a", "m4a"],
  ["audio/wav", "wav"],
  ["audio/x-wav", "wav"],
  ["audio/ogg", "ogg"],
  ["audio/flac", "flac"],
  ["audio/x-flac", "flac"]
])

/** The file type isn't accepted. */
export class UnsupportedAudio extends Schema.TaggedError<UnsupportedAudio>()("UnsupportedAudio", {}) {}

/** The file is empty. */
export class EmptyRecording extends Schema.TaggedError<EmptyRecording>()("EmptyRecording", {}) {}

/** The file is larger than `MAX_RECORDING_BYTES`. */
export class RecordingTooLarge extends Schema.TaggedError<RecordingTooLarge>()("RecordingTooLarge", {}) {}

/** Largest recording. */
export const MAX_RECORDING_BYTES = 12 * 1024 * 1024

/** A recording to recognise, as a file. */
export interface Recording {
  readonly path: string
  /** As sent, such as `audio/webm;codecs=opus`. */
  readonly contentType: string
}

/** Type and file ending of a recording; parameters and case don't matter. */
export const audioType = (
  contentType: string
): Result.Result<{ readonly type: string; readonly ending: string }, UnsupportedAudio> => {
  const type = (contentType.split(";")[0] ?? "").trim().toLowerCase()
  const ending = ENDINGS.get(type)
  return ending === undefined ? Result.fail(new UnsupportedAudio()) : Result.succeed({ type, ending })
}

/** A recogniser's annotations of silence. */
const SILENCE = /[[(]\s*(blank_audio|blank audio|silence|no audio|inaudible)\s*[\])]/gi

/** Returns the words in one line, without the recogniser's annotations. */
export const cleanText = (text: string): string => text.replace(SILENCE, " ").replace(/\s+/g, " ").trim()
