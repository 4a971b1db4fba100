import { Schema } from "effect"

/** One thing the console needs, and its state. */
export const DoctorCheck = Schema.Struct({
  /** Stable name of the check. */
  id: Schema.Literals([
    "node",
    "settings",
    "git",
    "gateway-cli",
    "agent-b",
    "gateway",
    "token",
    "device",
    "signin",
    "port",
    "certificate",
    "proxy",
    "home",
    "board",
    "gateway-files",
    "ffmpeg",
    "speech-model"
  ]),
  title: Schema.String,
  /** `problem`: something doesn't work. `warning`: something works in part, or will stop working. */
  state: Schema.Literals(["ok", "warning", "problem"]),
  /** What was found, in one sentence. */
  detail: Schema.String,
  /** What to do about it, if anything. */
  fix: Schema.optionalKey(Schema.String)
})
export type DoctorCheck = typeof DoctorCheck.Type

/** A check without its name, as the rules return it. */
export type Finding = Pick<DoctorCheck, "state" | "detail" | "fix">

export const ok = (detail: string): Finding => ({ state: "ok", detail })
export const warning = (detail: string, fix: string): Finding => ({ state: "warning", detail, fix })
export const problem = (detail: string, fix: string): Finding => ({ state: "problem", detail, fix })
