import { characterCount, hasAtMost } from "../../../../src/contract/characterCount.ts"
import { MAX_MESSAGE } from "../../../../src/contract/outbox.ts"
import { say } from "../language/say.ts"
import type { ApiFailure } from "../link/apiTypes.ts"

/** Why a text can't be sent; null if it can. */
export const tooLongText = (text: string, limit = MAX_MESSAGE): string | null =>
  hasAtMost(text, limit)
    ? null
    : say("That's too long to send ({count} of {limit} characters).", { count: characterCount(text), limit })

/** Such sentences begin with a field of the request, which says nothing to people. */
const ABOUT_FIELD = /^[\w.[\]-]+: /

/** Why the console doesn't take a message. */
export const refusalText = (text: string, { kind, message }: Pick<ApiFailure, "kind" | "message">): string =>
  tooLongText(text) ??
  (kind === "invalid" && ABOUT_FIELD.test(message) ? say("The console doesn't take this message as it is.") : message)
