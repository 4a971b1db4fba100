import { $, component$, type QRL, useConstant, useId, useSignal } from "@builder.io/qwik"
import { type AgentRight, USUAL_RIGHTS } from "../../../src/contract/agentRights.ts"
import { agentSnippets } from "../../../src/contract/agentSnippets.ts"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useCommands } from "../base/useCommands.ts"
import { keptValues, useKept } from "../base/useKept.ts"
import { useReadable } from "../base/useReadable.ts"
import {
  type AgentTokenRow,
  type AgentTokenStore,
  createAgentTokenStore,
  RIGHT_TEXTS
} from "../core/agents/AgentTokenStore.ts"
import { createGatewayAgentsStore } from "../core/agents/GatewayAgentsStore.ts"
import { BASE_PATH } from "../core/common/basePath.ts"
import { listText } from "../core/common/phrases.ts"
import { fullTime, relativeTime } from "../core/common/timeText.ts"
import { say } from "../core/language/say.ts"
import { CommandLine } from "../ui/CommandLine.tsx"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { CopyButton } from "../ui/CopyButton.tsx"
import { ErrorState } from "../ui/ErrorState.tsx"
import { Field } from "../ui/Field.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { useNow } from "../ui/useNow.ts"
import { AgentRightChoice, GatewayAgents } from "./GatewayAgents.tsx"

interface NewAgentTokenProps {
  readonly name: string
  readonly secret: string
  readonly onDone$: QRL<() => void>
}

/** A new token, shown once, with what to paste into the common clients. */
const NewAgentToken = component$<NewAgentTokenProps>((props) => {
  const title = useSignal<HTMLElement>()
  useBrowserTask$(() => title.value?.focus())
  return (
    <section class="stack justify-start gap-4 can-shrink agent-new" aria-labelledby="agent-new-title">
      <h2 id="agent-new-title" ref={title} tabIndex={-1}>
        {say("Token of {name}", { name: props.name })}
      </h2>
      <p>{say("Copy it now: it isn't shown again.")}</p>
      <CommandLine command={props.secret} label={say("Copy the token")} />
      {agentSnippets(`${location.origin}${BASE_PATH}`, props.secret).map(({ client, text }) => (
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

const names = keptValues<string>()

/** Creates a token for an agent. */
const AgentTokenForm = component$<{ readonly store: AgentTokenStore }>((props) => {
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
    <form
      class="stack justify-start gap-4 can-shrink agent-form"
      aria-labelledby={`${id}-title`}
      preventdefault:submit
      onSubmit$={create}
    >
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

interface AgentTokenListProps {
  readonly store: AgentTokenStore
  readonly tokens: ReadonlyArray<AgentTokenRow>
  readonly onSaid$: QRL<(text: string) => void>
}

/** The agents with a token, and the way to take it back. */
const AgentTokenList = component$<AgentTokenListProps>((props) => {
  const now = useNow(60_000)
  const asked = useSignal<AgentTokenRow | null>(null)
  useCommands(() =>
    props.tokens.map((token) => ({
      id: `agents.revoke ${token.id}`,
      label: say("Revoke the token of {name}", { name: token.name }),
      group: say("Agents"),
      run: () => {
        asked.value = token
      }
    }))
  )
  const wanted = asked.value
  return (
    <div class="stack justify-start gap-4 can-shrink">
      {props.tokens.length > 0 && <h2>{say("Agents")}</h2>}
      <ul class="plain-list surface stack divided full-width settings-list" aria-label={say("Agents with a token")}>
        {props.tokens.map((token) => (
          <li key={token.id} class="row wrap space-between gap-3 settings-row">
            <div class="can-shrink break-words settings-row-text">
              <p>{token.name}</p>
              <p class="field-hint">{listText(token.rights.map((right) => RIGHT_TEXTS[right].label))}</p>
              <p class="field-hint" title={token.lastUsedAt === null ? "" : fullTime(token.lastUsedAt)}>
                {token.lastUsedAt === null
                  ? say("Not used yet")
                  : say("Last used {when}", { when: relativeTime(token.lastUsedAt, now.value) })}
              </p>
            </div>
            <button
              type="button"
              class="button is-small"
              aria-label={say("Revoke the token of {name}", { name: token.name })}
              onClick$={() => {
                asked.value = token
              }}
            >
              {say("Revoke")}
            </button>
          </li>
        ))}
      </ul>
      {wanted !== null && (
        <ConfirmDialog
          title={say("Revoke the token of {name}?", { name: wanted.name })}
          confirmLabel={say("Revoke")}
          danger
          onCancel$={() => {
            asked.value = null
          }}
          onConfirm$={async () => {
            const { id, name } = wanted
            const revoked = await props.store.revoke(id)
            asked.value = null
            await props.onSaid$(revoked.ok ? say("{name} can no longer use the console.", { name }) : revoked.message)
          }}
        >
          <p>{say("The agent can't use the console from now on. What it did stays.")}</p>
        </ConfirmDialog>
      )}
    </div>
  )
})

/** Which agents may use the board and the person as tools. */
export const AgentSettings = component$(() => {
  const app = useServices()
  const store = useConstant(() => createAgentTokenStore(app.client.api))
  const gateway = useConstant(() => createGatewayAgentsStore(app.client.api))
  const state = useReadable(store.state)
  const said = useSignal<string | null>(null)

  useBrowserTask$(() => store.load())

  const { created, message, status, tokens } = state.value
  const name = created?.row.name ?? ""
  const secret = created?.secret ?? ""
  const putAway = $(() => store.putAway())
  return (
    <div class="settings-page agents">
      <p class="settings-note">
        {say(
          "Any agent can work with this board and ask you questions, over the Model Context Protocol. Each one gets its own token."
        )}
      </p>
      {created === null ? (
        <AgentTokenForm store={store} />
      ) : (
        <NewAgentToken key={secret} name={name} secret={secret} onDone$={putAway} />
      )}
      {status === "loading" && <LoadingState label={say("Loading tokens…")} />}
      {status === "failed" && (
        <ErrorState
          title={say("Couldn't load the tokens")}
          text={message ?? say("Try again.")}
          onRetry$={() => store.load()}
        />
      )}
      {status === "ready" && (
        <AgentTokenList
          store={store}
          tokens={tokens}
          onSaid$={(text) => {
            said.value = text
            return gateway.load()
          }}
        />
      )}
      <GatewayAgents
        store={gateway}
        onSaid$={(text) => {
          said.value = text
          return store.load()
        }}
      />
      <p class="settings-note" role="status" hidden={said.value === null}>
        {said.value}
      </p>
    </div>
  )
})
