import type { Stream } from "effect"
import type { ProviderError } from "../vendors/vendorErrors.ts"
import type { Fits } from "./splitText.ts"

/** A provider, ready to speak pieces of text. */
export interface SpeechSource {
  /** Its limit per request. */
  readonly fits: Fits
  /** One piece's audio, in whatever format the provider returns. */
  readonly say: (piece: string) => Stream.Stream<Uint8Array, ProviderError>
}
