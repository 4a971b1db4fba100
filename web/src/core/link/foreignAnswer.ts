import type { ErrorAnswer } from "../../../../src/contract/schema/failure.ts"
import { fieldsOf, textOf } from "../common/decode.ts"
import type { ApiFailureKind } from "./apiTypes.ts"

/** The console's own 401s; whatever a proxy sends with that status is about the proxy's sign-in. */
const OWN_REFUSAL = /^(Authentication required|Invalid password)$/

/** What proxies answer by themselves when the console behind them doesn't, Cloudflare's own ones among them. */
export const isGone = (status: number) =>
  status === 502 || status === 503 || status === 504 || (status >= 520 && status <= 530)

/**
 * Whether something between this browser and the console has answered in its place, by what can be told before the body
 * is read: the console redirects none of these requests, and answers none of them with a page.
 */
export const isForeign = (response: Pick<Response, "type" | "redirected" | "headers">): boolean =>
  response.type === "opaqueredirect" ||
  response.redirected ||
  /\bx?html\b/i.test(response.headers.get("content-type") ?? "")

/**
 * What kind of failure somebody else's answer is; null for an answer of the console's own. `body` is the decoded one,
 * `undefined` for one that isn't JSON.
 */
export function foreignFailure(response: Response, body: unknown, text: string): ApiFailureKind | null {
  const { status } = response
  const isElsewhere = isForeign(response) || (body === undefined && text.trimStart().startsWith("<"))
  const isJson = body !== undefined
  if (isElsewhere || !isJson) {
    if (status === 413) return "too_large"
    if (status === 429) return "rate_limited"
    if (isGone(status)) return "offline"
  }
  if (isElsewhere) return "foreign"
  if (status === 401 && !OWN_REFUSAL.test(textOf(fieldsOf<ErrorAnswer>(body).error) ?? "")) return "foreign"
  return status === 404 && !isJson ? "foreign" : null
}
