import { component$, useConstant } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useReadable } from "../base/useReadable.ts"
import { knowledgeOf } from "../core/knowledge/knowledgeOf.ts"
import { say } from "../core/language/say.ts"
import { Tabs } from "../ui/Tabs.tsx"
import { placePath } from "./filePath.ts"

/** The screen's pages; `unsaved` is the prefix of the keys of their unsaved texts. */
export const PLACES = [
  { place: "memory", label: say("Memory"), unsaved: "memory" },
  { place: "documents", label: say("Documents"), unsaved: "document:" },
  { place: "files", label: say("Files"), unsaved: "file:" },
  { place: "log", label: say("Agent log"), unsaved: null }
] as const

interface KnowledgeTabsProps {
  /** Null for the default agent. Use it as the key, too: the agent never changes during its life. */
  readonly agent: string | null
  readonly place: string
}

/** The pages of an agent's knowledge, each with the number of its unsaved texts. */
export const KnowledgeTabs = component$<KnowledgeTabsProps>((props) => {
  const app = useServices()
  const knowledge = useConstant(() => knowledgeOf(app.client).of(props.agent))
  const drafts = useReadable(knowledge.unsaved)
  const tabs = PLACES.map(({ place, label, unsaved }) => ({
    href: placePath(props.agent, place),
    label,
    count: unsaved === null ? 0 : drafts.value.filter((key) => key.startsWith(unsaved)).length
  }))
  return <Tabs label={say("Knowledge")} tabs={tabs} current={placePath(props.agent, props.place)} />
})
