import { component$ } from "@builder.io/qwik"
import { unseenIn } from "../../../src/contract/unseenCharacters.ts"
import { listText } from "../core/common/phrases.ts"
import { say } from "../core/language/say.ts"

/** Below a field, which can't mark them: which characters of its text nobody sees. */
export const UnseenNote = component$<{ readonly text: string }>((props) => {
  const codes = unseenIn(props.text, "prose")
  if (codes.length === 0) return null
  return <p class="field-hint">{say("This text has invisible characters: {codes}.", { codes: listText(codes) })}</p>
})
