import { component$, type QRL } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useCommands } from "../base/useCommands.ts"
import { useReadable } from "../base/useReadable.ts"
import { say } from "../core/language/say.ts"
import { searchOf } from "../core/search/searchOf.ts"
import { Icon } from "../ui/Icon.tsx"
import "../ui/fold.css"

const EXAMPLES = [
  { words: say('"exact phrase"'), means: say("these words together") },
  { words: "deploy*", means: say("words that start like this") },
  { words: "error -timeout", means: say("without a word") },
  { words: "from:me", means: say("what you wrote; from:agent and from:tool, too") },
  { words: "tool:timeout", means: say("a word in what tools returned") },
  { words: "kind:card", means: say("one kind: message, card, memory, document, log") },
  { words: "after:2026-11-01 before:today", means: say("a time; 7d is seven days ago") },
  { words: "agent:main session:…", means: say("one agent, one conversation") }
]

/** What was searched for lately, and how to write a search. */
export const RecentSearches = component$<{ readonly onChoose$: QRL<(text: string) => void> }>((props) => {
  const app = useServices()
  const search = searchOf(app.client)
  const recent = useReadable(search.recent)
  useCommands(() => [
    {
      id: "search.forget",
      label: say("Clear the recent searches"),
      group: say("Search"),
      when: () => search.recent.get().length > 0,
      run: () => search.forget()
    },
    ...search.recent.get().map((text) => ({
      id: `search.again ${text}`,
      label: say("Search for “{words}” again", { words: text }),
      group: say("Search"),
      run: () => props.onChoose$(text)
    }))
  ])
  return (
    <>
      {recent.value.length > 0 && (
        <section class="search-recent" aria-labelledby="recent-searches">
          <div class="row space-between gap-3">
            <h2 id="recent-searches">{say("Recent searches")}</h2>
            <button type="button" class="button is-small" onClick$={() => searchOf(app.client).forget()}>
              {say("Clear")}
            </button>
          </div>
          <ul class="plain-list">
            {recent.value.map((text) => (
              <li key={text}>
                <button type="button" class="row bare gap-3 search-again" onClick$={() => props.onChoose$(text)}>
                  <Icon name="clock" />
                  <span>{text}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {recent.value.length === 0 && (
        <p class="soft">{say("Conversations, cards, memory, documents and the agent log.")}</p>
      )}
      <details class="search-help fold">
        <summary>{say("How to write a search")}</summary>
        <dl class="stack gap-2 soft small search-examples">
          {EXAMPLES.map(({ words, means }) => (
            <div key={words}>
              <dt>
                <code>{words}</code>
              </dt>
              <dd>{means}</dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  )
})
