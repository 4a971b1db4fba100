import type { Component } from "@builder.io/qwik"
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
  { name: "appearance", label: "Appearance", load: async () => AppearanceSettings },
  { name: "chat", label: "Chat", load: async () => ChatSettings },
  { name: "voice", label: "Voice", load: async () => (await import("../voice/VoiceSettings.tsx")).VoiceSettings },
  { name: "notifications", label: "Notifications", load: async () => NotificationSettings },
  {
    name: "gateways",
    label: "Gateways",
    load: async () => (await import("./GatewaySettings.tsx")).GatewaySettings
  },
  { name: "agents", label: "Agents", load: async () => (await import("./AgentSettings.tsx")).AgentSettings },
  { name: "search", label: "Search", load: async () => (await import("../search/SearchSettings.tsx")).SearchSettings },
  { name: "checks", label: "Checks", load: async () => CheckSettings },
  { name: "about", label: "About", load: async () => AboutSettings }
]

/** A page's address. */
export const sectionPath = (name: string): string => `/settings/${name}`
