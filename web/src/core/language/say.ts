import { catalogue } from "./catalogue.ts"
import { createTexts } from "./createTexts.ts"
import { pageLocale } from "./pageLocale.ts"

/**
 * The texts of the page in its language.
 *
 * `say("{name} was removed.", { name })` is a text; the English one is a literal, so that a check finds it.
 * `sayCount(cards, "{count} card", "{count} cards")` is one with a count, in the form that the language has for it.
 * `piecesOf` gives a text in pieces; `ui/Said.tsx` puts elements in the places of its `{name}`s.
 */
export const { say, sayCount, piecesOf } = createTexts(catalogue, pageLocale)
