import { failure } from "../../../contract/failures.ts"
import type { SettingNote } from "../../platform/settings/settingNotes.ts"
import type { Variables } from "../../platform/settings/variables.ts"
import { type Finding, ok, warning } from "./doctorCheck.ts"

/** For when there is nothing to tell. */
export const ALL_USED = failure("SETTINGS_USED")

/** The console writes these itself, when somebody chooses them in its own settings. */
const OWN = ["SVC_LANGUAGE", "EDGE_VOICE_GENDER", "STT_PROVIDER", "STT_MODEL"]

/** The settings that are different from those the console started with. */
export const changedSettings = (
  started: Variables,
  now: Variables,
  known: ReadonlyArray<string>
): ReadonlyArray<string> =>
  known.filter((name) => !OWN.includes(name) && (started[name]?.trim() ?? "") !== (now[name]?.trim() ?? ""))

/** What was set and has no effect, or not yet; one finding for each. */
export const settingsFindings = (
  notes: ReadonlyArray<SettingNote>,
  changed: ReadonlyArray<string>
): ReadonlyArray<Finding> => {
  const findings = [
    ...notes.map(({ detail, fix }) => warning(detail, fix)),
    ...changed.map((name) => warning(failure("SETTING_CHANGED", { name }), failure("RESTART_CONSOLE")))
  ]
  return findings.length === 0 ? [ok(ALL_USED)] : findings
}
