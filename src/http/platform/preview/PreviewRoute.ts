import { Effect, Layer } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { errorResponse } from "../../apiResponse.ts"
import { needing } from "../../Right.ts"
import { marked } from "../../RouteMark.ts"

/** Nothing is loaded, sent, framed or opened; scripts and styles are the document's own. */
const POLICY = [
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  "img-src data: blob:",
  "font-src data:",
  "media-src data: blob:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "webrtc 'block'",
  "sandbox allow-scripts"
].join("; ")

/**
 * Headers of the page that runs a document; they replace the policy of the console's own pages. No policy that every
 * browser knows is about WebRTC: `webrtc 'block'` is in the standard and nowhere else yet, and the empty list of allowed
 * connections makes newer Chromiums end a page that tries. Other browsers let it open direct connections.
 */
const PREVIEW_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": POLICY,
  "connection-allowlist": "()",
  "referrer-policy": "no-referrer"
}

const attribute = (text: string): string => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;")

/**
 * A page that runs a document in a frame without rights: its origin is its own, so that it reaches nothing of the
 * console, and the page around it lets it lead nowhere. The policy repeats that.
 */
const previewPage = (html: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Preview</title><style>html,body,iframe{margin:0;border:0;padding:0;inline-size:100%;block-size:100%;display:block}</style></head><body><iframe sandbox="allow-scripts" title="Preview" srcdoc="${attribute(html)}"></iframe></body></html>`

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
    yield* router.add("POST", "/api/preview", handle).pipe(marked({ body: "raw" }), needing("read"))
  })
)
