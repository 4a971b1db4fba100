import { $, component$, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../../base/AppContext.ts"
import { say } from "../../core/language/say.ts"
import { gatewayStore } from "../../core/operations/GatewayStore.ts"
import { reasonParts, updateNews } from "../../core/operations/gatewayFacts.ts"
import { CommandLine } from "../../ui/CommandLine.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { StaleNote } from "../StaleNote.tsx"
import { useQuery } from "../useQuery.ts"
import "../../ui/fold.css"

const COMMAND = "agent-console update"

/** The console's version, whether there is a newer one, and how to get it. */
export const VersionCard = component$(() => {
  const app = useServices()
  const query = useConstant(() => gatewayStore(app.client).update)
  const state = useQuery(query)
  const asking = useSignal(false)
  const { value, problem } = state.value
  const retry = $(async () => {
    asking.value = true
    await query.refresh()
    asking.value = false
  })
  const reason = value?.latest === null && value.reason !== null ? reasonParts(value.reason) : null
  const remedy = reason === null ? null : reason.command
  // A copy without a source of updates isn't a failure: there is nothing to try again.
  const hasFailed = value?.latest === null && value.canInstall
  return (
    <article class={["gateway-card", "version", value?.isNewer === true && "is-news"]} data-version={value?.current}>
      <div class="gateway-title">
        <h3>Agent Console</h3>
        {value !== null && <span class="muted">{say("Version {current}", { current: value.current })}</span>}
        {value?.isNewer === true && <span class="badge is-good">{say("Update")}</span>}
      </div>
      {value === null && problem === null && <p class="muted">{say("Checking the version…")}</p>}
      {problem !== null && <StaleNote problem={problem} onRetry$={retry} />}
      {value !== null && (
        <>
          <div class="row wrap gap-3 version-news">
            <p class={[hasFailed && "is-unknown", !value.isNewer && "muted"]}>
              {hasFailed && <Icon name="triangle-alert" />}
              <span>{updateNews(value)}</span>
            </p>
            {hasFailed && (
              <button type="button" class="button is-small" disabled={asking.value} onClick$={retry}>
                {asking.value ? say("Checking…") : say("Try again")}
              </button>
            )}
          </div>
          {value.canInstall && <CommandLine command={COMMAND} label={say("Copy update command")} />}
          {reason !== null && (
            <details class="fold">
              <summary>
                {remedy === null ? say("Details") : hasFailed ? say("How to fix") : say("How to turn them on")}
              </summary>
              <p class="soft small version-reason">{reason.text}</p>
              {remedy !== null && <CommandLine command={remedy} label={say("Copy command")} />}
            </details>
          )}
        </>
      )}
    </article>
  )
})
