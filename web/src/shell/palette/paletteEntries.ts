import type { AppServices } from "../../base/AppContext.ts"
import { notificationRight } from "../../base/attention/notificationRight.ts"
import { chatPath } from "../../base/routes.ts"
import type { Command } from "../../core/commands/CommandRegistry.ts"
import { gatewayOfKey, markOf } from "../../core/gateways/gatewayMark.ts"
import { SETTING_CHOICES } from "../../core/settings/settingChoices.ts"
import { kindOf, searchText, stateLabel } from "../../sessions/sessionPresentation.ts"
import { placesWithin } from "./places.ts"

/** Everything in the palette: available commands, every session, every value of every setting. */
export const paletteEntries = (app: AppServices): ReadonlyArray<Command> => {
  const commands = app.commands.available().filter((command) => command.helpOnly !== true && command.id !== "palette")
  app.client.sessions.wantTitles(Number.POSITIVE_INFINITY)
  const sessionLabel = (key: string, title: string) => {
    const mark = markOf(app.client.gateways.get(), gatewayOfKey(key))
    return mark === null ? title : `${title} (${mark.name})`
  }
  const sessions = app.client.sessions.state.get().rows.map((row) => ({
    id: `session ${row.key}`,
    label: sessionLabel(row.key, row.title),
    group: "Sessions",
    keywords: `${kindOf(row.kind).label} ${searchText(row)} ${stateLabel(row.state)}`,
    run: () => app.router.navigate(chatPath(row.key))
  }))
  const settings = SETTING_CHOICES.flatMap((choice) =>
    choice.options.map((option) => ({
      id: `setting ${choice.name} ${option.value}`,
      label: `${choice.label}: ${option.label}`,
      group: "Settings",
      keywords: "set change",
      when: () =>
        !option.isChosen(app.client.settings.state.get()) &&
        (choice.name !== "sessionGroups" || (app.client.gateways.get()?.length ?? 0) > 1),
      run: () => {
        // Turning on notifications starts with a browser prompt, which their settings page triggers.
        if (choice.name === "notifications" && option.value === "on" && notificationRight() !== "granted")
          app.router.navigate("/settings/notifications")
        else option.choose(app.client.settings)
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
