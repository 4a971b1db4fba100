import { component$ } from "@builder.io/qwik"
import { unseenIn } from "../../../src/contract/unseenCharacters.ts"
import { listText } from "../core/common/phrases.ts"
import { say } from "../core/language/say.ts"

/** Lists the invisible characters of a field's text below it, since a field can't mark them. */
export const UnseenNote = component$<{ readonly text: string }>((props) => {
  const codes = unseenIn(props.text, "prose")
  if (codes.length === 0) return null
  return <p class="field-hint">{say("This text has invisible characters: {codes}.", { codes: listText(codes) })}</p>
})
