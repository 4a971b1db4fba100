import { Effect, Layer } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { errorResponse } from "../../apiResponse.ts"
import { marked } from "../../RouteMark.ts"
import { PREVIEW_HEADERS, previewPage } from "./previewPage.ts"

const missing = errorResponse(400, "validation_error", "html: the document to show is missing")

/**
 * `POST /api/preview` gives a document in a form's field `html` back as a page in which it can run: for the tab that
 * the preview of an agent's response opens.
 */
export const PreviewRoute = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const handle = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const html = new URLSearchParams(yield* request.text).get("html") ?? ""
      if (html.trim() === "") return missing
      return HttpServerResponse.text(previewPage(html), {
        contentType: "text/html; charset=utf-8",
        headers: PREVIEW_HEADERS
      })
    })
    yield* router.add("POST", "/api/preview", handle).pipe(marked({ body: "raw" }))
  })
)
