import type { Component } from "@builder.io/qwik"
import { say } from "../core/language/say.ts"
import { AboutSettings } from "./AboutSettings.tsx"
import { AppearanceSettings } from "./AppearanceSettings.tsx"
import { ChatSettings } from "./ChatSettings.tsx"
import { CheckSettings } from "./CheckSettings.tsx"
import { NotificationSettings } from "./NotificationSettings.tsx"

/** A settings page; large ones load their own chunk. */
export interface Section {
  /** The part of the address after `/settings/`. */
  readonly name: string
  readonly label: string
  readonly load: () => Promise<Component>
}

/** All pages in order; the first is at `/settings` itself. One line adds a page. */
export const SECTIONS: ReadonlyArray<Section> = [
  { name: "appearance", label: say("Appearance"), load: async () => AppearanceSettings },
  { name: "chat", label: say("Chat"), load: async () => ChatSettings },
  { name: "voice", label: say("Voice"), load: async () => (await import("../voice/VoiceSettings.tsx")).VoiceSettings },
  { name: "notifications", label: say("Notifications"), load: async () => NotificationSettings },
  {
    name: "gateways",
    label: say("Gateways"),
    load: async () => (await import("./GatewaySettings.tsx")).GatewaySettings
  },
  { name: "agents", label: say("Agents"), load: async () => (await import("./AgentSettings.tsx")).AgentSettings },
  {
    name: "search",
    label: say("Search"),
    load: async () => (await import("../search/SearchSettings.tsx")).SearchSettings
  },
  { name: "checks", label: say("Checks"), load: async () => CheckSettings },
  { name: "about", label: say("About"), load: async () => AboutSettings }
]

/** A page's address. */
export const sectionPath = (name: string): string => `/settings/${name}`
