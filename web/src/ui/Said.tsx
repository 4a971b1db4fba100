import type { JSXOutput } from "@builder.io/qwik"
import { piecesOf } from "../core/language/say.ts"

interface SaidProps {
  /** The English text, as a literal, with a `{name}` for each element. */
  readonly text: string
  readonly parts: Readonly<Record<string, JSXOutput>>
}

/** A text of the page with elements in it, wherever the page's language has them. */
export const Said = (props: SaidProps) => (
  <>
    {piecesOf(props.text).map(({ name, text }) => (
      <span key={name ?? text}>{name === undefined ? text : (props.parts[name] ?? null)}</span>
    ))}
  </>
)
