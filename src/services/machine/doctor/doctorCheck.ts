import { Schema } from "effect"
import type { Failure } from "../../../contract/failure.ts"
import { Why } from "../../../contract/schema/failure.ts"

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
    "backup",
    "gateway-files",
    "ffmpeg",
    "speech-model"
  ]),
  title: Schema.String,
  /** `problem`: something doesn't work. `warning`: something works in part, or will stop working. */
  state: Schema.Literals(["ok", "warning", "problem"]),
  /** What was found, in one sentence. */
  detail: Schema.String,
  why: Schema.optionalKey(Why),
  /** What to do about it, if anything. */
  fix: Schema.optionalKey(Schema.String),
  fixWhy: Schema.optionalKey(Why)
})
export type DoctorCheck = typeof DoctorCheck.Type

/** A check without its name, as the rules return it. */
export type Finding = Omit<DoctorCheck, "id" | "title">

type Said = Failure | string

const parts = (said: Said): Failure => (typeof said === "string" ? { message: said } : said)

/** What was found, and what to do about it. */
export const finding = (state: Finding["state"], said: Said, advice?: Said): Finding => {
  const detail = parts(said)
  const fix = advice === undefined ? undefined : parts(advice)
  return {
    state,
    detail: detail.message,
    ...(detail.why === undefined ? {} : { why: detail.why }),
    ...(fix === undefined ? {} : { fix: fix.message }),
    ...(fix?.why === undefined ? {} : { fixWhy: fix.why })
  }
}

export const ok = (said: Said): Finding => finding("ok", said)
export const warning = (said: Said, advice: Said): Finding => finding("warning", said, advice)
export const problem = (said: Said, advice: Said): Finding => finding("problem", said, advice)
