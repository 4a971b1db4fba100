import { openPdf } from "./openPdf.ts"
import { createPdfPages, type PdfPages } from "./PdfPages.ts"

/** A PDF on the screen. */
export interface ShownPdf {
  readonly pages: PdfPages
  /** In bytes. */
  readonly size: number
}

/**
 * Opens a PDF and shows its pages in an empty element, at a page (by index), until `signal` is aborted. Rejects with
 * an error that `pdfProblem` explains.
 */
export const showPdf = async (
  scroller: HTMLElement,
  address: string,
  page: number,
  signal: AbortSignal
): Promise<ShownPdf> => {
  const { document: pdf, size } = await openPdf(address, signal)
  const pages = await createPdfPages(scroller, pdf, page, signal)
  signal.addEventListener("abort", () => pages.destroy())
  return { pages, size }
}
