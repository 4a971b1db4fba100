import { Context, type Effect } from "effect"
import type { SettingSources } from "./settingNotes.ts"
import type { Variables } from "./variables.ts"

/** Where the settings of this process came from, to look there again. */
export interface SettingsSourceShape {
  /** What the running console started with; `undefined` for a command. */
  readonly started: Variables | undefined
  /** What's there now; `undefined` if it can't be read. */
  readonly now: Effect.Effect<SettingSources | undefined>
}

/** Absent where settings were made otherwise. */
export const SettingsSource = Context.Reference<SettingsSourceShape | undefined>(
  "agent-console/services/platform/settings/SettingsSource",
  { defaultValue: () => undefined }
)
