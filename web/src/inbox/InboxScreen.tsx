import { component$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { matchRoute } from "../base/routes.ts"
import { useCommands } from "../base/useCommands.ts"
import { useReadable } from "../base/useReadable.ts"
import { StopButton } from "../budgets/StopButton.tsx"
import { say } from "../core/language/say.ts"
import { useMarkdown } from "../ui/markdown/useMarkdown.ts"
import { ScreenHead } from "../ui/ScreenHead.tsx"
import { Tabs } from "../ui/Tabs.tsx"
import { DecidedList } from "./DecidedList.tsx"
import { InboxList } from "./InboxList.tsx"
import { ItemView } from "./ItemView.tsx"
import { inboxCommands } from "./inboxCommands.ts"
import { inboxPlace, listPath } from "./inboxPath.ts"
import "./inbox.css"

/** What waits for a person, in one place, and what was decided lately. */
export const InboxScreen = component$(() => {
  const app = useServices()
  const location = useReadable(app.router.location)
  const open = useReadable(app.client.inbox.open)
  useCommands(() => inboxCommands(app))
  useMarkdown()
  const { item, isDecided, kind } = inboxPlace(matchRoute(location.value))
  const tabs = [
    { href: listPath({ isDecided: false, kind: null }), label: say("Waiting for you"), count: open.value.length },
    { href: listPath({ isDecided: true, kind: null }), label: say("Decided") }
  ]
  return (
    <>
      <ScreenHead title={say("Inbox")}>
        <span class="only-phone">
          <StopButton onlyStops />
        </span>
        {item === null && <Tabs label={say("Inbox")} tabs={tabs} current={listPath({ isDecided, kind: null })} />}
        {item === null && !isDecided && open.value.length > 1 && (
          <p class="inbox-keys" aria-hidden="true">
            <span class="action-key">J</span>
            <span class="action-key">K</span>
            <span>{say("Next and previous item")}</span>
          </p>
        )}
      </ScreenHead>
      {item !== null ? (
        <ItemView key={item} id={item} />
      ) : isDecided ? (
        <DecidedList key={`decided-${kind}`} kind={kind} />
      ) : (
        <InboxList key={`open-${kind}`} kind={kind} />
      )}
    </>
  )
})
