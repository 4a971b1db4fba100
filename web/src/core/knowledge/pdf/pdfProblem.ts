import { recordOf } from "../../../../../src/contract/looseFields.ts"
import { say } from "../../language/say.ts"

/** Largest file shown, in bytes: all of it is held in memory while it is open. */
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

/** The server didn't send the file; the status is 0 if something in between answered instead. */
export class PdfNotSent extends Error {
  override readonly name = "PdfNotSent"
  readonly status: number

  constructor(status: number) {
    super(`status ${status}`)
    this.status = status
  }
}

/** What to tell people about an error from opening a PDF. */
export const pdfProblem = (failure: unknown): PdfProblem => {
  const name = recordOf(failure)?.name
  if (failure instanceof PdfNotSent && (failure.status === 404 || failure.status === 400)) {
    return { title: say("This PDF no longer exists"), text: say("It was deleted or moved."), mayPass: true }
  }
  if (failure instanceof PdfNotSent) {
    return { title: say("Couldn't load this PDF"), text: say("The console's server didn't send it."), mayPass: true }
  }
  if (failure instanceof TooLargePdf) {
    return {
      title: say("This PDF is too large to show here"),
      text: say("The limit is {size} MB. Your browser may be able to open it in a new tab.", {
        size: MAX_PDF_BYTES / 1024 / 1024
      }),
      mayPass: false
    }
  }
  if (name === "PasswordException") {
    return {
      title: say("This PDF is password-protected"),
      text: say("Open it in a new tab: your browser asks for the password."),
      mayPass: false
    }
  }
  if (name === "InvalidPDFException" || name === "FormatError" || name === "MissingDataException") {
    return {
      title: say("This PDF is damaged"),
      text: say("It's incomplete or not a PDF. Download it to try another app, or replace it with an intact copy."),
      mayPass: false
    }
  }
  if (failure instanceof TypeError) {
    return {
      title: say("Couldn't load this PDF"),
      text: say("The console's server can't be reached or was updated. Try again, or reload the page."),
      mayPass: true
    }
  }
  return {
    title: say("Can't show this PDF"),
    text: say("Your browser may be able to open it in a new tab."),
    mayPass: true
  }
}
