import { $, component$, useId, useSignal } from "@builder.io/qwik"
import { type AgentRight, USUAL_RIGHTS } from "../../../src/contract/agentRights.ts"
import { keptValues, useKept } from "../base/useKept.ts"
import type { AgentTokenStore } from "../core/agents/AgentTokenStore.ts"
import { say } from "../core/language/say.ts"
import { Field } from "../ui/Field.tsx"
import { AgentRightChoice } from "./AgentRightChoice.tsx"

const names = keptValues<string>()

/** Creates a token for an agent. */
export const AgentTokenForm = component$<{ readonly store: AgentTokenStore }>((props) => {
  const id = useId()
  const name = useKept(names, "", () => "")
  const rights = useSignal<ReadonlyArray<AgentRight>>(USUAL_RIGHTS)
  const busy = useSignal(false)
  const problem = useSignal<string | null>(null)

  const create = $(async () => {
    const wanted = name.value.trim()
    if (wanted === "") problem.value = say("Give the agent a name.")
    else if (rights.value.length === 0) problem.value = say("Choose what the agent may do.")
    else {
      busy.value = true
      const created = await props.store.create(wanted, rights.value)
      problem.value = created.ok ? null : created.message
      if (created.ok) names.clear()
      busy.value = false
    }
  })

  return (
    <form class="agent-form" aria-labelledby={`${id}-title`} preventdefault:submit onSubmit$={create}>
      <h2 id={`${id}-title`}>{say("New agent")}</h2>
      <Field
        label={say("Name")}
        for={`${id}-name`}
        hint={say("What the board and your inbox call it.")}
        error={problem.value}
      >
        <input
          id={`${id}-name`}
          class="field"
          type="text"
          maxLength={100}
          autoComplete="off"
          placeholder={say("coder")}
          value={name.value}
          aria-describedby={`${id}-name-hint`}
          onInput$={(_, element) => {
            name.value = element.value
            problem.value = null
          }}
        />
      </Field>
      <AgentRightChoice
        legend={say("What it may do")}
        rights={rights.value}
        onChange$={(chosen) => {
          rights.value = chosen
        }}
      />
      <button type="submit" class="button is-primary" disabled={busy.value}>
        {say("Create token")}
      </button>
    </form>
  )
})
