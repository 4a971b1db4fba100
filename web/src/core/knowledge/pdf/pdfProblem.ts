import { recordOf } from "../../decode.ts"

/** Largest file that is shown, in bytes: the whole of it is held in memory while it is open. */
export const MAX_PDF_BYTES = 200 * 1024 * 1024

/** Why a PDF cannot be shown, for people. */
export interface PdfProblem {
  readonly title: string
  readonly text: string
  /** Trying again may help. */
  readonly mayPass: boolean
}

/** The file is larger than `MAX_PDF_BYTES`. */
export class TooLargePdf extends Error {
  override readonly name = "TooLargePdf"
}

/** The server did not hand out the file. */
export class PdfNotSent extends Error {
  override readonly name = "PdfNotSent"
  readonly status: number

  constructor(status: number) {
    super(`status ${status}`)
    this.status = status
  }
}

/** What to tell people about whatever opening a PDF failed with. */
export const pdfProblem = (failure: unknown): PdfProblem => {
  const name = recordOf(failure)?.name
  if (failure instanceof PdfNotSent && (failure.status === 404 || failure.status === 400)) {
    return { title: "This PDF is not there any more", text: "It was deleted or moved.", mayPass: true }
  }
  if (failure instanceof PdfNotSent) {
    return { title: "This PDF could not be read", text: "The console's server did not hand it out.", mayPass: true }
  }
  if (failure instanceof TooLargePdf) {
    return {
      title: "This PDF is too large to be shown here",
      text: `Up to ${MAX_PDF_BYTES / 1024 / 1024} MB are. The browser's own viewer may manage it, in a tab of its own.`,
      mayPass: false
    }
  }
  if (name === "PasswordException") {
    return {
      title: "This PDF is locked with a password",
      text: "The browser's own viewer asks for the password, in a tab of its own.",
      mayPass: false
    }
  }
  if (name === "InvalidPDFException" || name === "FormatError" || name === "MissingDataException") {
    return {
      title: "This PDF is damaged",
      text: "It is incomplete, or no PDF at all. Download it to try another program, or put a whole copy in its place.",
      mayPass: false
    }
  }
  if (failure instanceof TypeError) {
    return {
      title: "This PDF could not be read",
      text: "The console's server cannot be reached, or has a newer version: try again, or reload the page.",
      mayPass: true
    }
  }
  return {
    title: "This PDF cannot be shown",
    text: "The browser's own viewer may manage it, in a tab of its own.",
    mayPass: true
  }
}
