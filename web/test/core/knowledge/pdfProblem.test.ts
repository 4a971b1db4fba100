import { assert, describe, it } from "@effect/vitest"
import { PdfNotSent, pdfProblem, TooLargePdf } from "../../../src/core/knowledge/pdf/pdfProblem.ts"

/** As the library rejects. */
const named = (name: string) => Object.assign(new Error("as /home/somebody/x.pdf says"), { name })

describe("why a PDF cannot be shown", () => {
  it("is said for every cause there is", () => {
    const titles = [
      new PdfNotSent(404),
      new PdfNotSent(500),
      new TooLargePdf(),
      named("PasswordException"),
      named("InvalidPDFException"),
      named("FormatError"),
      new TypeError("Failed to fetch"),
      named("UnknownErrorException"),
      undefined
    ].map((failure) => pdfProblem(failure).title)
    assert.deepStrictEqual(titles, [
      "This PDF no longer exists",
      "Couldn't load this PDF",
      "This PDF is too large to show here",
      "This PDF is password-protected",
      "This PDF is damaged",
      "This PDF is damaged",
      "Couldn't load this PDF",
      "Can't show this PDF",
      "Can't show this PDF"
    ])
  })

  it("offers another try only where it may help, and shows nothing of the library's message", () => {
    assert.isTrue(pdfProblem(new TypeError("Failed to fetch")).mayPass)
    assert.isFalse(pdfProblem(named("InvalidPDFException")).mayPass)
    assert.isFalse(pdfProblem(new TooLargePdf()).mayPass)
    for (const name of ["InvalidPDFException", "PasswordException", "Other"]) {
      assert.notInclude(JSON.stringify(pdfProblem(named(name))), "somebody")
    }
  })
})
