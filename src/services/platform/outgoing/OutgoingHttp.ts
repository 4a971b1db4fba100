import { Effect, Layer } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"

/**
 * The client for whatever the console asks of another server. A redirect is an answer like any other: followed, it
 * would take a token, a key or a recording to wherever the other server points.
 */
export const outgoingHttp = Effect.map(
  HttpClient.HttpClient,
  HttpClient.transformResponse(Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }))
)

/** The same client for what takes it from the context by itself, such as the library that sends telemetry. */
export const OutgoingHttp = Layer.effect(HttpClient.HttpClient, outgoingHttp).pipe(Layer.provide(FetchHttpClient.layer))
