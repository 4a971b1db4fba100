import { component$, type QRL, useSignal } from "@builder.io/qwik"
import { agentSnippets } from "../../../src/contract/agentSnippets.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { say } from "../core/language/say.ts"
import { CommandLine } from "../ui/CommandLine.tsx"
import { CopyButton } from "../ui/CopyButton.tsx"

interface NewAgentTokenProps {
  readonly name: string
  readonly secret: string
  readonly onDone$: QRL<() => void>
}

/** A new token, shown once, with what to paste into the common clients. */
export const NewAgentToken = component$<NewAgentTokenProps>((props) => {
  const title = useSignal<HTMLElement>()
  useBrowserTask$(() => title.value?.focus())
  return (
    <section class="agent-new" aria-labelledby="agent-new-title">
      <h2 id="agent-new-title" ref={title} tabIndex={-1}>
        {say("Token of {name}", { name: props.name })}
      </h2>
      <p>{say("Copy it now: it isn't shown again.")}</p>
      <CommandLine command={props.secret} label={say("Copy the token")} />
      {agentSnippets(location.origin, props.secret).map(({ client, text }) => (
        <div key={client} class="stack gap-1 can-shrink full-width agent-snippet">
          <div class="row space-between gap-2">
            <h3>{client}</h3>
            <CopyButton text={text} label={say("Copy for {client}", { client })} />
          </div>
          <div
            class="agent-snippet-text"
            tabIndex={0}
            role="region"
            aria-label={say("Settings for {client}", { client })}
          >
            <pre>{text}</pre>
          </div>
        </div>
      ))}
      <button type="button" class="button" onClick$={() => props.onDone$()}>
        {say("Done")}
      </button>
    </section>
  )
})
