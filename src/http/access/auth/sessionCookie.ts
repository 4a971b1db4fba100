import { type Duration, Effect } from "effect"
import { HttpServerResponse } from "effect/http"

/**
 * Sets or clears the session cookie for the whole site, inaccessible to scripts and other sites; `Secure` only with
 * HTTPS.
 */
export const withSessionCookie = (
  response: HttpServerResponse.HttpServerResponse,
  cookie: { readonly name: string; readonly value: string; readonly maxAge: Duration.Input; readonly secure: boolean }
) =>
  Effect.orDie(
    HttpServerResponse.setCookie(response, cookie.name, cookie.value, {
      httpOnly: true,
      sameSite: "strict",
      secure: cookie.secure,
      path: "/",
      maxAge: cookie.maxAge
    })
  )
