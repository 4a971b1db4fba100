import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { Auth } from "../../services/auth/Auth.ts"
import { openApiDocument } from "./openApiDocument.ts"
import { referencePage } from "./referencePage.ts"

/** The interface's own reference, as a document for tools and as a page for people; each made at its first request. */
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
