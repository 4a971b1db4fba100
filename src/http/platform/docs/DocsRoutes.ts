import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { Auth } from "../../../services/access/auth/Auth.ts"
import { openApiDocument } from "./openApiDocument.ts"
import { referencePage } from "./referencePage.ts"

/** The API reference, as an OpenAPI document and as a page; each is built at its first request. */
export const DocsRoutes = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const { cookieName } = yield* Auth
    const document = yield* Effect.cached(Effect.sync(() => openApiDocument(cookieName)))
    const asJson = yield* Effect.cached(Effect.map(document, (spec) => HttpServerResponse.jsonUnsafe(spec)))
    const asPage = yield* Effect.cached(
      Effect.map(document, (spec) =>
        HttpServerResponse.text(referencePage(spec), { contentType: "text/html; charset=utf-8" })
      )
    )
    yield* router.add("GET", "/api/openapi.json", asJson)
    yield* router.add("GET", "/api/docs", asPage)
  })
)
