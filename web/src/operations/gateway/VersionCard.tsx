import { $, component$, useConstant } from "@builder.io/qwik"
import { useServices } from "../../app/ConsoleContext.ts"
import { gatewayStore } from "../../core/operations/GatewayStore.ts"
import type { UpdateView } from "../../core/operations/gatewayFacts.ts"
import { CopyButton } from "../../ui/CopyButton.tsx"
import { StaleNote } from "../StaleNote.tsx"
import { useQuery } from "../useQuery.ts"

const COMMAND = "agent-console update"

const newsOf = ({ latest, isNewer, reason }: UpdateView): string => {
  if (isNewer) return `Version ${latest} is out. Install it on the console's machine with this command:`
  if (latest !== null) return "This is the newest version. Later ones are installed on the console's machine with:"
  const why = reason === null ? "" : `: ${reason}`
  return `Whether there is a newer one is not known${why}. This command, on the console's machine, looks and installs it:`
}

/** The console's own version, whether there is a newer one, and how to get it. */
export const VersionCard = component$(() => {
  const app = useServices()
  const query = useConstant(() => gatewayStore(app.console).update)
  const state = useQuery(query)
  const { value, problem } = state.value
  const retry = $(() => query.refresh())
  return (
    <article class={["version", value?.isNewer === true && "is-news"]} data-version={value?.current}>
      <div class="version-head">
        <h3>Agent Console</h3>
        {value?.isNewer === true && <span class="badge is-good">Update</span>}
      </div>
      {value === null && problem === null && <p class="muted">Asking for the version…</p>}
      {problem !== null && <StaleNote problem={problem} onRetry$={retry} />}
      {value !== null && (
        <>
          <p>{`Version ${value.current}`}</p>
          <p class={value.isNewer ? "" : "muted"}>{newsOf(value)}</p>
          <p class="command">
            <code>{COMMAND}</code>
            <CopyButton text={COMMAND} label="Copy the update command" />
          </p>
        </>
      )}
    </article>
  )
})
