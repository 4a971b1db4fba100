import { recordOf } from "../../common/decode.ts"

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

/** The server didn't send the file. */
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
    return { title: "This PDF no longer exists", text: "It was deleted or moved.", mayPass: true }
  }
  if (failure instanceof PdfNotSent) {
    return { title: "Couldn't load this PDF", text: "The console's server didn't send it.", mayPass: true }
  }
  if (failure instanceof TooLargePdf) {
    return {
      title: "This PDF is too large to show here",
      text: `The limit is ${MAX_PDF_BYTES / 1024 / 1024} MB. Your browser may be able to open it in a new tab.`,
      mayPass: false
    }
  }
  if (name === "PasswordException") {
    return {
      title: "This PDF is password-protected",
      text: "Open it in a new tab: your browser asks for the password.",
      mayPass: false
    }
  }
  if (name === "InvalidPDFException" || name === "FormatError" || name === "MissingDataException") {
    return {
      title: "This PDF is damaged",
      text: "It's incomplete or not a PDF. Download it to try another app, or replace it with an intact copy.",
      mayPass: false
    }
  }
  if (failure instanceof TypeError) {
    return {
      title: "Couldn't load this PDF",
      text: "The console's server can't be reached or was updated. Try again, or reload the page.",
      mayPass: true
    }
  }
  return {
    title: "Can't show this PDF",
    text: "Your browser may be able to open it in a new tab.",
    mayPass: true
  }
}
