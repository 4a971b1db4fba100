/** What the command ends with, beside a sentence that says why. */
export const EXIT_CODES = { usage: 2, portInUse: 3, notInstalled: 4, notRunning: 5 } as const

/** Something that people are told in a sentence instead of a stack. */
export class Failure extends Error {
  readonly code: number
  /** Lines of a log that may say more. */
  readonly log: string

  constructor(code: number, sentence: string, log = "") {
    super(sentence)
    this.code = code
    this.log = log
  }
}
