import { $, component$, useConstant } from "@builder.io/qwik"
import { useServices } from "../../base/AppContext.ts"
import { say } from "../../core/language/say.ts"
import { gatewayStore } from "../../core/operations/GatewayStore.ts"
import { StaleNote } from "../StaleNote.tsx"
import { useQuery } from "../useQuery.ts"

/** The models the gateway offers. */
export const ModelList = component$(() => {
  const app = useServices()
  const query = useConstant(() => gatewayStore(app.client).models)
  const state = useQuery(query)
  const { value, problem } = state.value
  const retry = $(() => query.refresh())
  return (
    <article class="models">
      <h3>{say("Models")}</h3>
      {problem !== null && <StaleNote problem={problem} onRetry$={retry} />}
      {value === null && problem === null && <p class="muted">{say("Loading models…")}</p>}
      {value?.length === 0 && <p class="muted">{say("No models. Set up a provider on the gateway.")}</p>}
      {value !== null && value.length > 0 && (
        <div class="table-scroll" tabIndex={0} role="region" aria-label={say("Models")}>
          <table class="plain-table">
            <thead>
              <tr>
                <th scope="col">{say("Name")}</th>
                <th scope="col">{say("ID")}</th>
                <th scope="col">{say("Provider")}</th>
              </tr>
            </thead>
            <tbody>
              {value.map((model) => (
                <tr key={model.id}>
                  <th scope="row">{model.label}</th>
                  <td>
                    <code>{model.id}</code>
                  </td>
                  <td>{model.provider}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </article>
  )
})
