import { markUnseen } from "../../../../src/contract/unseenCharacters.ts"
import type { AppServices } from "../../base/AppContext.ts"
import { notificationRight } from "../../base/callAttention.ts"
import { chatPath, matchRoute, SCREENS } from "../../base/routes.ts"
import type { Command } from "../../core/commands/CommandRegistry.ts"
import { below } from "../../core/common/basePath.ts"
import type { WorkState } from "../../core/common/stateWords.ts"
import { shortTime } from "../../core/common/timeText.ts"
import { gatewayOfKey, markOf } from "../../core/gateways/gatewayMark.ts"
import { say } from "../../core/language/say.ts"
import { SETTING_CHOICES } from "../../core/settings/settingChoices.ts"
import { kindOf, searchText, stateLabel, workState } from "../../sessions/sessionPresentation.ts"
import type { IconName } from "../../ui/Icon.tsx"
import { SCREEN_ICONS } from "../loadScreen.ts"
import { COMMAND_ICONS } from "./commandIcons.ts"

/** Entries below one heading. */
interface PaletteSection {
  readonly name: string
  /** The first one's number in the whole list. */
  readonly start: number
  readonly commands: ReadonlyArray<PaletteEntry>
}

/** The entries ordered by group; groups keep the order of their first entry. */
const byGroup = (entries: ReadonlyArray<PaletteEntry>): ReadonlyArray<PaletteEntry> =>
  [...Map.groupBy(entries, ({ group }) => group).values()].flat()

/** The entries by group, each group below its heading. */
export const sectionsOf = (entries: ReadonlyArray<PaletteEntry>): ReadonlyArray<PaletteSection> => {
  let start = 0
  return [...Map.groupBy(entries, ({ group }) => group)].map(([name, commands]) => {
    const section = { name, start, commands }
    start += commands.length
    return section
  })
}

/** A command as the palette shows it. */
export interface PaletteEntry extends Command {
  readonly icon?: IconName
  /** What is worth knowing about it, at its end. */
  readonly note?: string
  /** The state of a session's work, drawn instead of its icon. */
  readonly state?: WorkState | null
  /** The same in words, which a phone has no room for. */
  readonly stateText?: string
}

/** The icon of the screen that an address belongs to. */
const placeIcon = (path: string): IconName => {
  const screen = SCREENS.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`)) ?? SCREENS[0]
  return SCREEN_ICONS[screen?.name ?? "chat"]
}

/** A command's icon: a screen's own, what it does, or the same for everything that is done. */
const commandIcon = (id: string): IconName => {
  const screen = SCREENS.find(({ name }) => id === `go.${name}`)
  // The part after a space distinguishes commands of one kind.
  const kind = id.slice(0, `${id} `.indexOf(" "))
  return screen === undefined ? (COMMAND_ICONS[kind] ?? "play") : SCREEN_ICONS[screen.name]
}

interface Place {
  readonly path: string
  readonly label: string
}

const place = (path: string, label: string): Place => ({ path: below(path), label })

const PLACES: ReadonlyArray<Place> = [
  place("/knowledge/memory", say("Memory")),
  place("/knowledge/documents", say("Documents")),
  place("/knowledge/files", say("Files")),
  place("/operations/crons", say("Scheduled jobs")),
  place("/operations/skills", say("Skills")),
  place("/operations/usage", say("Usage")),
  place("/operations/gateway", say("Gateway")),
  place("/operations/log", say("Agent log")),
  place("/settings/appearance", say("Appearance")),
  place("/settings/chat", say("Chat settings")),
  place("/settings/voice", say("Voice settings")),
  place("/settings/notifications", say("Notifications")),
  place("/settings/gateways", say("Gateways")),
  place("/settings/agents", say("Agents and their tokens")),
  place("/settings/stop", say("Emergency stop")),
  place("/settings/search", say("Search settings")),
  place("/settings/checks", say("Checks")),
  place("/settings/about", say("About this console"))
]

/** The pages within the screens. */
const placesWithin = (): ReadonlyArray<Place> =>
  PLACES.filter(({ path }) => SCREENS.some(({ prefix }) => path.startsWith(`${prefix}/`)))

const RECENT_SESSIONS = say("Recent sessions")
const SESSIONS = say("Sessions")
const GO_TO = say("Go to")

/** The number of sessions listed first, and of those listed above a screen's own commands. */
const RECENT = 5
const RECENT_ELSEWHERE = 3

/**
 * Everything in the palette: the latest sessions besides the open one, available commands with those of the screen,
 * every other session, every value of every setting.
 */
export const paletteEntries = (app: AppServices): ReadonlyArray<PaletteEntry> => {
  const commands = app.commands.available().filter((command) => command.helpOnly !== true && command.id !== "palette")
  app.client.sessions.wantTitles(Number.POSITIVE_INFINITY)
  const sessionLabel = (key: string, title: string) => {
    const mark = markOf(app.client.gateways.get(), gatewayOfKey(key))
    return mark === null ? title : `${title} (${mark.name})`
  }
  const now = Date.now()
  const rows = app.client.sessions.state.get().rows
  const open = app.router.location.get().pathname
  const here = matchRoute(app.router.location.get()).screen
  const own = here === null || here.name === "chat" ? [] : commands.filter(({ group }) => group === here.label)
  const recent = new Set(
    rows
      .filter(({ key, kind }) => (kind === "main" || kind === "chat") && chatPath(key) !== open)
      .sort((one, other) => other.updatedAt - one.updatedAt)
      .slice(0, own.length === 0 ? RECENT : RECENT_ELSEWHERE)
  )
  const names = Map.groupBy(rows, (row) => sessionLabel(row.key, row.title))
  /** The time of the last activity, and the agent, which distinguishes sessions of one name. */
  const noteOf = (row: (typeof rows)[number], label: string): string => {
    const time = shortTime(row.updatedAt, now)
    const isOfOthersToo = names.get(label)?.some(({ agentId }) => agentId !== row.agentId) === true
    return isOfOthersToo ? `${row.agentId} · ${time}` : time
  }
  const sessions = rows.map((row) => ({
    id: `session ${row.key}`,
    label: sessionLabel(row.key, row.title),
    group: recent.has(row) ? RECENT_SESSIONS : SESSIONS,
    icon: kindOf(row.kind).icon,
    state: workState(row.state),
    stateText: stateLabel(row.state),
    note: noteOf(row, sessionLabel(row.key, row.title)),
    keywords: `${kindOf(row.kind).label} ${searchText(row)} ${stateLabel(row.state)}`,
    run: () => app.router.navigate(chatPath(row.key))
  }))
  const settings = SETTING_CHOICES.flatMap((choice) =>
    choice.options.map((option) => ({
      id: `setting ${choice.name} ${option.value}`,
      label: `${choice.label}: ${option.label}`,
      group: say("Settings"),
      icon: "sliders" as const,
      when: () =>
        !option.isChosen(app.client.settings.state.get()) &&
        (choice.name !== "sessionGroups" || (app.client.gateways.get()?.length ?? 0) > 1),
      run: () => {
        // Turning on notifications starts with a browser prompt, which their settings page triggers.
        if (choice.name === "notifications" && option.value === "on" && notificationRight() !== "granted")
          app.router.navigate(below("/settings/notifications"))
        else option.choose(app.client.settings)
      }
    }))
  )
  const places = placesWithin().map(({ path, label }) => ({
    id: `place ${path}`,
    label,
    group: GO_TO,
    icon: placeIcon(path),
    run: () => app.router.navigate(path)
  }))
  const latest = sessions.filter(({ group }) => group === RECENT_SESSIONS)
  const others = sessions.filter(({ group }) => group === SESSIONS)
  // What something is called may hide what it is, such as the file that is deleted.
  const withIcon = (command: Command) => ({
    ...command,
    label: markUnseen(command.label, "prose"),
    icon: commandIcon(command.id)
  })
  const isGoTo = ({ group, id }: Command) => group === GO_TO && !(id === `go.${here?.name}` && open === here?.prefix)
  return byGroup([
    ...latest,
    ...own.map(withIcon),
    // On a screen with commands of its own, the way elsewhere is nearer than what can be done anywhere.
    ...(own.length === 0 ? [] : [...commands.filter(isGoTo).map(withIcon), ...places]),
    ...commands
      .filter((command) => !own.includes(command) && (own.length === 0 || command.group !== GO_TO))
      .map(withIcon),
    ...(own.length === 0 ? places : []),
    ...others,
    ...settings.filter((command) => command.when())
  ])
}
