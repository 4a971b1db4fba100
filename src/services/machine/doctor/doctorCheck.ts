import type { Failure } from "../../../contract/failure.ts"
import type { DoctorCheck } from "../../../contract/schema/machine.ts"

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
