import { decide } from "../approvals/decide.ts"
import type { AppServices } from "../base/AppContext.ts"
import type { Command } from "../core/commands/CommandRegistry.ts"
import { quotedTitle } from "../core/common/phrases.ts"
import type { InboxItem } from "../core/inbox/inboxTypes.ts"
import { titleOf } from "../core/inbox/kindText.ts"
import { say } from "../core/language/say.ts"
import { itemPath, listPath } from "./inboxPath.ts"

const help = (keys: string, label: string): Command => ({
  id: `inbox.help ${keys}`,
  label,
  group: say("Inbox"),
  keys,
  helpOnly: true,
  run: () => {}
})

/** What can be done with an item without seeing all of it: everything else is decided where it's shown. */
const ofItem = (app: AppServices, item: InboxItem): ReadonlyArray<Command> => {
  const name = quotedTitle(titleOf(item))
  const group = say("Waiting for you")
  const offers = (action: string) => item.kind === "failed" && item.actions.some(({ id }) => id === action)
  return [
    {
      id: `inbox.open ${item.id}`,
      label: say("Open {name}", { name }),
      group,
      run: () => app.router.navigate(itemPath(item.id))
    },
    {
      id: `inbox.retry ${item.id}`,
      label: say("Retry {name}", { name }),
      group,
      when: () => offers("retry"),
      run: () => decide(app, [item], { action: "retry" }, { isSaid: true })
    },
    {
      id: `inbox.dismiss ${item.id}`,
      label: say("Dismiss {name}", { name }),
      group,
      when: () => offers("dismiss"),
      run: () => decide(app, [item], { action: "dismiss" }, { isSaid: true })
    }
  ]
}

/** What can be done in the inbox from the palette, and its keys for the list of shortcuts; `inboxKeys.ts` handles those. */
export const inboxCommands = (app: AppServices): ReadonlyArray<Command> => [
  {
    id: "inbox.waiting",
    label: say("Show what waits for you"),
    group: say("Inbox"),
    run: () => app.router.navigate(listPath({ isDecided: false, kind: null }))
  },
  {
    id: "inbox.decided",
    label: say("Show what was decided"),
    group: say("Inbox"),
    run: () => app.router.navigate(listPath({ isDecided: true, kind: null }))
  },
  ...app.client.inbox.open.get().flatMap((item) => ofItem(app, item)),
  help("j", say("Next item (or arrow down)")),
  help("k", say("Previous item (or arrow up)")),
  help("a", say("Allow once, or approve")),
  help("w", say("Always allow")),
  help("d", say("Deny, reject or dismiss")),
  help("s", say("Skip the question")),
  help("b", say("Send back")),
  help("r", say("Retry")),
  help("1", say("Choose an option (1 to 9)")),
  help("enter", say("Answer, or open what it's about")),
  help("x", say("Select the item"))
]
