import type { PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs"
import { listOf, recordOf } from "../../core/decode.ts"

/** Addresses that are followed; the library has parsed them already, and a chunk of the first screen stays whole. */
const FOLLOWED = /^(?:https?|mailto):/i

/** Index of the page a link within the document leads to; null when it leads nowhere. */
const pageOf = async (pdf: PDFDocumentProxy, target: unknown): Promise<number | null> => {
  const place = typeof target === "string" ? await pdf.getDestination(target) : listOf(target)
  const page: unknown = place?.[0]
  if (typeof page === "number") return page
  const fields = recordOf(page)
  if (typeof fields?.num !== "number" || typeof fields.gen !== "number") return null
  return pdf.getPageIndex({ num: fields.num, gen: fields.gen })
}

const webLink = (address: string): HTMLAnchorElement => {
  const link = document.createElement("a")
  link.href = address
  link.target = "_blank"
  link.rel = "noopener noreferrer"
  link.title = address
  link.setAttribute("aria-label", address)
  return link
}

const innerLink = (index: number, onGo: (index: number) => void): HTMLButtonElement => {
  const link = document.createElement("button")
  link.type = "button"
  link.title = `Go to page ${index + 1}`
  link.setAttribute("aria-label", link.title)
  link.addEventListener("click", () => onGo(index))
  return link
}

/** The links of a page as a layer over its picture; null when there are none. Addresses open in a tab of their own. */
export const pageLinks = async (
  pdf: PDFDocumentProxy,
  page: PDFPageProxy,
  onGo: (index: number) => void
): Promise<HTMLElement | null> => {
  const viewport = page.getViewport({ scale: 1 })
  const layer = document.createElement("div")
  layer.className = "pdf-links"
  for (const entry of await page.getAnnotations()) {
    const fields = recordOf(entry)
    const [x1, y1, x2, y2] = listOf(fields?.rect).map(Number)
    if (fields?.subtype !== "Link" || x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined) {
      continue
    }
    const address = typeof fields.url === "string" && FOLLOWED.test(fields.url) ? fields.url : null
    const index = address === null ? await pageOf(pdf, fields.dest).catch(() => null) : null
    if (address === null && index === null) continue
    const link = address === null ? innerLink(index ?? 0, onGo) : webLink(address)
    const [left, top] = viewport.convertToViewportPoint(x1, y1)
    const [right, bottom] = viewport.convertToViewportPoint(x2, y2)
    link.style.left = `${(100 * Math.min(left, right)) / viewport.width}%`
    link.style.top = `${(100 * Math.min(top, bottom)) / viewport.height}%`
    link.style.width = `${(100 * Math.abs(right - left)) / viewport.width}%`
    link.style.height = `${(100 * Math.abs(bottom - top)) / viewport.height}%`
    layer.append(link)
  }
  return layer.childElementCount === 0 ? null : layer
}
