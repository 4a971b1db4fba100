import { $, component$, type QRL, useConstant, useContextProvider } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { matchRoute } from "../base/routes.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import { listInSentence } from "../core/common/phrases.ts"
import { isElsewhere, withAgent } from "../core/knowledge/agentConnections.ts"
import { knowledgeOf } from "../core/knowledge/knowledgeOf.ts"
import { say, sayCount } from "../core/language/say.ts"
import { ErrorState } from "../ui/ErrorState.tsx"
import { Icon } from "../ui/Icon.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { useMarkdown } from "../ui/markdown/useMarkdown.ts"
import { ScreenHead } from "../ui/ScreenHead.tsx"
import { Select } from "../ui/Select.tsx"
import { placePath } from "./fileActions.ts"
import "./knowledge.css"
import { Tabs } from "../ui/Tabs.tsx"
import { DocumentsPane } from "./DocumentsPane.tsx"
import { FilesPane } from "./FilesPane.tsx"
import { KnowledgeContext } from "./KnowledgeContext.ts"
import { MemoryPane } from "./MemoryPane.tsx"
import { ShownFilesPane } from "./ShownFilesPane.tsx"

/** The screen's pages; `unsaved` is the prefix of the keys of their unsaved texts. */
const PLACES = [
  { place: "memory", label: say("Memory"), unsaved: "memory" },
  { place: "documents", label: say("Documents"), unsaved: "document:" },
  { place: "files", label: say("Files"), unsaved: "file:" }
] as const

interface KnowledgeTabsProps {
  /** Null for the default agent. Use it as the key, too: the agent never changes during its life. */
  readonly agent: string | null
  readonly place: string
}

/** The pages of an agent's knowledge, each with the number of its unsaved texts. */
const KnowledgeTabs = component$<KnowledgeTabsProps>((props) => {
  const app = useServices()
  const knowledge = useConstant(() => knowledgeOf(app.client).of(props.agent))
  const drafts = useReadable(knowledge.unsaved)
  const tabs = PLACES.map(({ place, label, unsaved }) => ({
    href: placePath(props.agent, place),
    label,
    count: drafts.value.filter((key) => key.startsWith(unsaved)).length
  }))
  return <Tabs label={say("Knowledge")} tabs={tabs} current={placePath(props.agent, props.place)} />
})

interface KnowledgePlacesProps {
  /** Null for the default agent. Use it as the key, too: the agent never changes during its life. */
  readonly agent: string | null
  /** Name of an agent that has no workspace yet. */
  readonly newcomer: string | null
  /** The part of the address after the screen. */
  readonly segments: ReadonlyArray<string>
}

/** One agent's knowledge: its memory, documents and files. */
const KnowledgePlaces = component$<KnowledgePlacesProps>((props) => {
  const app = useServices()
  const knowledge = useConstant(() => knowledgeOf(app.client).of(props.agent))
  useContextProvider(KnowledgeContext, knowledge)
  const place = props.segments[0] ?? "memory"
  const rest = props.segments.slice(1)
  const documentKey = rest[0] ?? null
  const file = rest.length === 0 ? null : rest.join("/")
  const { newcomer } = props
  return (
    <>
      {newcomer !== null && (
        <p class="no-shrink soft small border-bottom newcomer-note">
          {say(
            "{newcomer} has no workspace yet. It's created when the agent first works, or when you save something here.",
            { newcomer }
          )}
        </p>
      )}
      {place === "memory" && <MemoryPane />}
      {place === "documents" && <DocumentsPane open={documentKey} />}
      {place === "files" && !isElsewhere(props.agent) && <FilesPane open={file} />}
      {place === "files" && isElsewhere(props.agent) && <ShownFilesPane open={file} />}
      {!PLACES.some((one) => one.place === place) && (
        <ErrorState
          isMissing
          title={say("There's no page at this address.")}
          action={say("Memory")}
          href={placePath(props.agent, "memory")}
        />
      )}
    </>
  )
})

interface AgentPickerProps {
  readonly options: ReadonlyArray<{ readonly id: string; readonly label: string }>
  /** Id of the agent shown; empty while it is not known. */
  readonly current: string
  readonly onChoose$: QRL<(id: string) => void>
}

/** Chooses whose knowledge is shown. */
const AgentPicker = component$<AgentPickerProps>((props) => (
  <div class="row can-shrink agent-picker">
    <label class="visually-hidden" for="knowledge-agent">
      {say("Agent")}
    </label>
    <Icon name="bot" />
    <Select
      id="knowledge-agent"
      value={props.current}
      options={props.options.map(({ id, label }) => ({ value: id, label }))}
      onChange$={(id) => props.onChoose$(id)}
    />
  </div>
))

/** What the agents know: their memory, documents and files, each at its own address that names the agent. */
export const KnowledgeScreen = component$(() => {
  const app = useServices()
  const location = useReadable(app.router.location)
  const all = useConstant(() => knowledgeOf(app.client))
  const agents = useConstant(() => all.agents)
  const state = useReadable(agents.state)
  useMarkdown()

  useBrowserTask$(() => void agents.load())
  // The address always says whose knowledge is shown, so it can be bookmarked and shared.
  useBrowserTask$(({ track }) => {
    const { pathname } = track(() => location.value)
    track(() => state.value)
    const { screen, query } = matchRoute(location.value)
    const choice = agents.choose(query.get("agent"))
    if (screen?.name !== "knowledge" || choice.kind !== "agent") return
    agents.remember(choice.id)
    query.delete("agent")
    const rest = query.toString()
    const address = withAgent(rest === "" ? pathname : `${pathname}?${rest}`, agents.nameOf(choice.id))
    app.router.navigate(address, { replace: true })
  })

  const gateways = useReadable(app.client.gateways)
  const silent = (gateways.value ?? []).filter(({ id }) => state.value.silent.includes(id)).map(({ name }) => name)
  const { segments, query } = matchRoute(location.value)
  const choice = agents.choose(query.get("agent"))
  const known = state.value.agents
  const agent = choice.kind === "agent" ? choice.id : null
  const place = segments[0] ?? "memory"
  /** Every agent has each document, but a file belongs to one agent. */
  const kept = place === "documents" ? segments.join("/") : place
  const chosen = known.find(({ id, isDefault }) => (agent === null ? isDefault : id === agent))
  const isChoice = known.length > 1
  const options = known.map(({ id, name, isDefault }) => {
    const unsaved = id === chosen?.id ? 0 : all.unsavedOf(isDefault ? null : id)
    return {
      id,
      label: unsaved === 0 ? name : sayCount(unsaved, "{name} · {count} unsaved", "{name} · {count} unsaved", { name })
    }
  })

  const choose = $((id: string) => {
    app.router.navigate(placePath(id, kept))
  })
  const showDefault = $(() => {
    agents.remember(null)
    app.router.navigate(placePath(null, kept))
  })

  return (
    <>
      <ScreenHead title={say("Knowledge")}>
        <KnowledgeTabs key={agent ?? ""} agent={agent} place={place} />
        {isChoice && <AgentPicker options={options} current={chosen?.id ?? ""} onChoose$={choose} />}
      </ScreenHead>
      {silent.length > 0 && (
        <p class="soft small knowledge-elsewhere">
          {say("The agents of {gateways} can't be reached right now.", { gateways: listInSentence(silent) })}
        </p>
      )}
      {choice.kind === "agent" && (
        <KnowledgePlaces
          key={agent ?? ""}
          agent={agent}
          newcomer={chosen?.isNew === true ? chosen.name : null}
          segments={segments}
        />
      )}
      {choice.kind === "loading" && <LoadingState label={say("Loading the agent…")} />}
      {choice.kind === "failed" && (
        <ErrorState
          title={say("Couldn't load the agents")}
          text={state.value.message ?? say("Their gateway can't be reached right now.")}
          onRetry$={() => agents.load()}
        >
          <button type="button" class="button" onClick$={showDefault}>
            {say("Show the default agent")}
          </button>
        </ErrorState>
      )}
      {choice.kind === "unknown" && (
        <ErrorState
          isMissing
          title={say("Agent not found")}
          text={say("The gateway has no agent called {id}. It may have been removed.", { id: choice.id })}
          action={say("Show the default agent")}
          onRetry$={showDefault}
        />
      )}
    </>
  )
})
