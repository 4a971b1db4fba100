import { $, component$, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import { createAgentTokenStore } from "../core/agents/AgentTokenStore.ts"
import { createGatewayAgentsStore } from "../core/agents/GatewayAgentsStore.ts"
import { ErrorState } from "../ui/ErrorState.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { AgentTokenForm } from "./AgentTokenForm.tsx"
import { AgentTokenList } from "./AgentTokenList.tsx"
import { GatewayAgents } from "./GatewayAgents.tsx"
import { NewAgentToken } from "./NewAgentToken.tsx"
import "./agentSettings.css"
import { say } from "../core/language/say.ts"

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
