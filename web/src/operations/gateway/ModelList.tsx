import { $, component$, useConstant } from "@builder.io/qwik"
import { useServices } from "../../base/AppContext.ts"
import { say } from "../../core/language/say.ts"
import { gatewayStore } from "../../core/operations/GatewayStore.ts"
import { StaleNote } from "../StaleNote.tsx"
import { useQuery } from "../useQuery.ts"

/** An id in its parts, each with the slash after it, so that a line breaks between them. */
const idParts = (id: string): ReadonlyArray<string> => id.split(/(?<=\/)/)

/** The models the gateway offers. */
export const ModelList = component$(() => {
  const app = useServices()
  const query = useConstant(() => gatewayStore(app.client).models)
  const state = useQuery(query)
  const { value, problem } = state.value
  const retry = $(() => query.refresh())
  return (
    <article class="gateway-card models">
      <div class="gateway-title">
        <h3>{say("Models")}</h3>
        {value !== null && value.length > 0 && <span class="muted">{value.length}</span>}
      </div>
      {problem !== null && <StaleNote problem={problem} onRetry$={retry} />}
      {value === null && problem === null && <p class="muted">{say("Loading models…")}</p>}
      {value?.length === 0 && <p class="muted">{say("No models. Set up a provider on the gateway.")}</p>}
      {value !== null && value.length > 0 && (
        <ul class="plain-list model-rows">
          {value.map(({ id, label, provider }) => (
            <li key={id}>
              <span class="model-title">{label}</span>
              {label !== id && (
                <code>
                  {idParts(id).map((part, index) => (
                    <span key={index}>
                      <span>{part}</span>
                      <wbr />
                    </span>
                  ))}
                </code>
              )}
              {/* Most ids begin with it. */}
              {!id.startsWith(`${provider}/`) && <span class="muted">{provider}</span>}
            </li>
          ))}
        </ul>
      )}
    </article>
  )
})
