import { Effect, Stream } from "effect"
import type { HttpClientResponse } from "effect/http"
import { notReached, notUnderstood, PATIENCE, tooSlow, type Vendor } from "../vendors/vendorCall.ts"
import type { ProviderError } from "../vendors/vendorErrors.ts"

const AUDIO_TYPE = /^(audio\/|application\/octet-stream|binary\/octet-stream)/i

/** The bytes of an audio response; fails if it isn't audio, stalls or is cut off. */
export const audioBody = (
  vendor: Vendor,
  answer: Effect.Effect<HttpClientResponse.HttpClientResponse, ProviderError>
): Stream.Stream<Uint8Array, ProviderError> =>
  Stream.unwrap(
    Effect.map(answer, (response): Stream.Stream<Uint8Array, ProviderError> => {
      if (!AUDIO_TYPE.test(response.headers["content-type"] ?? "audio/")) return Stream.fail(notUnderstood(vendor))
      return response.stream.pipe(
        Stream.mapError(() => notReached(vendor)),
        Stream.timeoutOrElse({ duration: PATIENCE, orElse: () => Stream.fail(tooSlow(vendor)) })
      )
    })
  )
