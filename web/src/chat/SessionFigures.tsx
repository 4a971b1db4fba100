import { component$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { wholeNumber } from "../core/common/numberText.ts"
import { say } from "../core/language/say.ts"
import { costLabel } from "../core/sessions/sessionChoices.ts"
import type { SessionRow } from "../core/sessions/sessionTypes.ts"
import { contextShare, costText } from "../sessions/sessionPresentation.ts"

/** How full the context is and what the session has cost. */
export const SessionFigures = component$<{ readonly row: SessionRow }>((props) => {
  const row = props.row
  const { hello } = useServices().client.linkOf(row.key)
  const share = contextShare(row)
  const cost = costText(row.cost)
  if (share === null && row.contextTokens === null && cost === "") return null
  return (
    <div class="context">
      {share === null && row.contextTokens !== null && (
        <p>
          {say("Context: unknown until the next response (of {size} tokens)", { size: wholeNumber(row.contextTokens) })}
        </p>
      )}
      {share !== null && (
        <>
          <p id="context-label">
            {say("Context: {used} of {size} tokens", {
              used: wholeNumber(row.totalTokens ?? 0),
              size: wholeNumber(row.contextTokens ?? 0)
            })}
          </p>
          <meter min={0} max={1} low={0.7} high={0.9} optimum={0} value={share} aria-labelledby="context-label" />
        </>
      )}
      {cost !== "" && <p>{`${costLabel(hello.get()?.protocol)}: ${cost}`}</p>}
    </div>
  )
})
