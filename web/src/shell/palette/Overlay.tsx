import { $, component$, useConstant } from "@builder.io/qwik"
import { useServices } from "../../base/AppContext.ts"
import { useReadable } from "../../base/useReadable.ts"
import type { Command } from "../../core/commands/CommandRegistry.ts"
import { say } from "../../core/language/say.ts"
import type { UserSettings } from "../../core/settings/settingValues.ts"
import { Dialog } from "../../ui/Dialog.tsx"
import { Keys, Palette } from "./Palette.tsx"
import "./palette.css"

/** The keys of the list of sessions, for the list of shortcuts; `sessionKeys.ts` handles them. */
const sessionKeyHelp = {
  name: say("List of sessions"),
  commands: [
    { id: "sessions.next", label: say("Next or previous session"), keys: "arrowdown" },
    { id: "sessions.fold", label: say("Show a job's runs"), keys: "arrowright" },
    { id: "sessions.pin", label: say("Pin or unpin the session"), keys: "p" },
    { id: "sessions.archive", label: say("Archive the session, or bring it back"), keys: "e" },
    { id: "sessions.group", label: say("Move the session to a group"), keys: "m" },
    { id: "sessions.delete", label: say("Delete the session"), keys: "delete" },
    { id: "sessions.menu", label: say("All actions of the session"), keys: "shift+f10" }
  ]
}

/** Shortcuts that work in one place. */
interface ShortcutGroup {
  readonly name: string
  readonly commands: ReadonlyArray<Pick<Command, "id" | "label" | "keys">>
}

const helpEntry = (id: string, label: string, keys: string) => ({ id, label, keys })

/** What the message field handles itself. */
const writing = (sendKey: UserSettings["sendKey"]): ShortcutGroup => ({
  name: say("Writing a message"),
  commands: [
    helpEntry("send", say("Send message"), sendKey === "enter" ? "enter" : "mod+enter"),
    helpEntry("line", say("New line"), sendKey === "enter" ? "shift+enter" : "enter"),
    helpEntry("recall", say("Recall your last message (in an empty field)"), "arrowup"),
    helpEntry("stop", say("Stop response"), "escape")
  ]
})

/**
 * The shortcuts for the help sheet: one group per place, in order of first appearance. Keys that a screen uses for
 * something of its own only do that.
 */
const shortcutGroups = (
  commands: ReadonlyArray<Command>,
  sendKey: UserSettings["sendKey"]
): ReadonlyArray<ShortcutGroup> => {
  const groups = new Map<string, Array<Command>>()
  const taken = new Set<string>()
  for (const command of commands) {
    if (command.keys === undefined || (taken.has(command.keys) && command.helpOnly !== true)) continue
    taken.add(command.keys)
    groups.set(command.group, [...(groups.get(command.group) ?? []), command])
  }
  return [...[...groups].map(([name, members]) => ({ name, commands: members })), writing(sendKey), sessionKeyHelp]
}

/** Every available shortcut, grouped by where it works. */
const ShortcutSheet = component$(() => {
  const app = useServices()
  const groups = useConstant(() => shortcutGroups(app.commands.available(), app.client.settings.state.get().sendKey))
  const close = $(() => app.overlay.set(null))
  return (
    <Dialog title={say("Keyboard shortcuts")} size="large" onClose$={close}>
      {/* Without anything to press in it, only the focus lets the keyboard scroll it. */}
      <div class="shortcuts" role="group" aria-label={say("Shortcuts")} tabIndex={0}>
        {groups.map(({ name, commands }) => (
          <section key={name}>
            <h3>{name}</h3>
            <dl>
              {commands.map((command) => (
                <div key={command.id} class="row space-between gap-3 border-bottom shortcut">
                  <dt>{command.label}</dt>
                  <dd>
                    <Keys keys={command.keys ?? ""} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
})

/** What is shown over the screen. */
export const Overlay = component$(() => {
  const shown = useReadable(useServices().overlay)
  return shown.value === "palette" ? <Palette /> : shown.value === "shortcuts" ? <ShortcutSheet /> : null
})
