import type { Token } from "marked"

/** The words of a line, without what marks them up. */
export const plainText = (tokens: ReadonlyArray<Token>): string =>
  tokens
    .map((token) => {
      if (token.type === "br") return " "
      // A formula has only its source.
      if ("tex" in token) return String(token.tex)
      if ("tokens" in token && token.tokens !== undefined) return plainText(token.tokens)
      return "text" in token ? String(token.text) : ""
    })
    .join("")
