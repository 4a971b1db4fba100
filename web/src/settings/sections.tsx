import { $, type Component, component$, useSignal } from "@builder.io/qwik"
import { useCommands } from "../base/useCommands.ts"
import { CheckList } from "../checks/CheckList.tsx"
import { useChecks } from "../checks/useChecks.ts"
import { attentionText, openChecks } from "../core/checks/consoleChecks.ts"
import { below } from "../core/common/basePath.ts"
import { say } from "../core/language/say.ts"
import { AboutSettings } from "./AboutSettings.tsx"
import { AppearanceSettings } from "./AppearanceSettings.tsx"
import { ChoiceField } from "./ChoiceField.tsx"

/** Everything that must be right for the console to work, as it is now. */
const CheckSettings = component$(() => {
  const { checks, complete, ask } = useChecks()
  const asking = useSignal(false)
  const again = $(async () => {
    asking.value = true
    await ask()
    asking.value = false
  })
  useCommands(() => [
    {
      id: "checks.again",
      label: say("Run all checks again"),
      group: say("Checks"),
      when: () => !asking.value,
      run: again
    }
  ])
  const open = openChecks(checks.value).length
  const sum = attentionText(open, checks.value.length)
  return (
    <div class="settings-page">
      <div class="row wrap space-between gap-3">
        <p role="status">{complete.value ? sum : say("Checking…")}</p>
        <button type="button" class="button is-small" disabled={asking.value} onClick$={again}>
          {asking.value ? say("Checking…") : say("Check again")}
        </button>
      </div>
      <CheckList checks={checks.value} />
    </div>
  )
})

/** How messages are written. */
const ChatSettings = component$(() => (
  <div class="settings-page">
    <div class="settings-group">
      <ChoiceField name="sendKey" />
    </div>
  </div>
))

/** A settings page; large ones load their own chunk. */
export interface Section {
  /** The part of the address after `/settings/`. */
  readonly name: string
  readonly label: string
  /** What is on it, in a few words. */
  readonly about: string
  readonly load: () => Promise<Component>
}

/** All pages in order, those that belong together in a group; the first is at `/settings` itself. One line adds a page. */
export const SECTION_GROUPS: ReadonlyArray<ReadonlyArray<Section>> = [
  [
    {
      name: "appearance",
      label: say("Appearance"),
      about: say("Colours, language and text size"),
      load: async () => AppearanceSettings
    },
    { name: "chat", label: say("Chat"), about: say("How messages are sent"), load: async () => ChatSettings },
    {
      name: "voice",
      label: say("Voice"),
      about: say("Talking, dictation and reading aloud"),
      load: async () => (await import("../voice/VoiceSettings.tsx")).VoiceSettings
    },
    {
      name: "notifications",
      label: say("Notifications"),
      about: say("When and where you're notified"),
      load: async () => (await import("./NotificationSettings.tsx")).NotificationSettings
    }
  ],
  [
    {
      name: "gateways",
      label: say("Gateways"),
      about: say("The machines your agents run on"),
      load: async () => (await import("./GatewaySettings.tsx")).GatewaySettings
    },
    {
      name: "agents",
      label: say("Agents"),
      about: say("Tokens for agents that work with the board"),
      load: async () => (await import("./AgentSettings.tsx")).AgentSettings
    },
    {
      name: "search",
      label: say("Search"),
      about: say("What the search covers, and its index"),
      load: async () => (await import("../search/SearchSettings.tsx")).SearchSettings
    }
  ],
  [
    {
      name: "stop",
      label: say("Emergency stop"),
      about: say("All agents at once, and budgets"),
      load: async () => (await import("./StopSettings.tsx")).StopSettings
    },
    { name: "checks", label: say("Checks"), about: say("System health"), load: async () => CheckSettings },
    { name: "about", label: say("About"), about: say("Version and licences"), load: async () => AboutSettings }
  ]
]

export const SECTIONS: ReadonlyArray<Section> = SECTION_GROUPS.flat()

/** A page's address. */
export const sectionPath = (name: string): string => below(`/settings/${name}`)
