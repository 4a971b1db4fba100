import type { Stream } from "effect"
import type { ProviderError } from "../vendors/vendorErrors.ts"
import type { Fits } from "./splitText.ts"

/** A provider, ready to say pieces of text. */
export interface SpeechSource {
  /** What it takes in one request. */
  readonly fits: Fits
  /** The audio of one piece, in whatever format the provider gives. */
  readonly say: (piece: string) => Stream.Stream<Uint8Array, ProviderError>
}
