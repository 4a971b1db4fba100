import type { AppServices } from "../app/ConsoleContext.ts"
import { chatPath } from "../app/routes.ts"
import { notificationRight } from "../attention/notificationRight.ts"
import type { Command } from "../core/commands/CommandRegistry.ts"
import { SETTING_CHOICES } from "../core/settings/settingChoices.ts"
import { stateLabel } from "../sessions/sessionPresentation.ts"
import { placesWithin } from "./places.ts"

/** Everything the palette reaches: what can be done here, every session, every value of every setting. */
export const paletteEntries = (app: AppServices): ReadonlyArray<Command> => {
  const commands = app.commands.available().filter((command) => command.helpOnly !== true && command.id !== "palette")
  const sessions = app.console.sessions.state.get().rows.map((row) => ({
    id: `session ${row.key}`,
    label: row.title,
    group: "Sessions",
    keywords: `${row.agentId} ${row.kind} ${stateLabel(row.state)}`,
    run: () => app.router.navigate(chatPath(row.key))
  }))
  const settings = SETTING_CHOICES.flatMap((choice) =>
    choice.options.map((option) => ({
      id: `setting ${choice.name} ${option.value}`,
      label: `${choice.label}: ${option.label}`,
      group: "Settings",
      keywords: "set change",
      when: () => !option.isChosen(app.console.settings.state.get()),
      run: () => {
        // Switching notifications on begins with a question of the browser, which its page asks.
        if (choice.name === "notifications" && option.value === "on" && notificationRight() !== "granted")
          app.router.navigate("/settings/notifications")
        else option.choose(app.console.settings)
      }
    }))
  )
  const places = placesWithin().map(({ path, label }) => ({
    id: `place ${path}`,
    label,
    group: "Go to",
    run: () => app.router.navigate(path)
  }))
  return [...commands, ...sessions, ...places, ...settings.filter((command) => command.when())]
}
