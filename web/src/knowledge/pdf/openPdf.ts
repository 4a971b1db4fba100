import {
  GlobalWorkerOptions,
  getDocument,
  type PDFDocumentProxy,
  VerbosityLevel,
  version
} from "pdfjs-dist/legacy/build/pdf.mjs"
import workerUrl from "pdfjs-dist/legacy/build/pdf.worker.min.mjs?url"
import { MAX_PDF_BYTES, PdfNotSent, TooLargePdf } from "../../core/knowledge/pdf/pdfProblem.ts"
import { isForeign } from "../../core/link/ApiClient.ts"

/** Maximum pixels of a picture in a PDF; larger ones are left out, so a small file can't fill the memory. */
const MAX_IMAGE_PIXELS = 2 ** 27

/** An open PDF. */
export interface OpenPdf {
  readonly document: PDFDocumentProxy
  /** In bytes. */
  readonly size: number
  /** Ends its worker and frees everything it holds. */
  readonly close: () => void
}

const bytesOf = async (address: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> => {
  const response = await fetch(address, { signal })
  if (isForeign(response)) throw new PdfNotSent(0)
  if (!response.ok) throw new PdfNotSent(response.status)
  if (Number(response.headers.get("content-length")) > MAX_PDF_BYTES) throw new TooLargePdf()
  return new Uint8Array(await response.arrayBuffer())
}

/**
 * Fetches a PDF of at most `MAX_PDF_BYTES` and opens it in its own worker; rejects with an error that `pdfProblem`
 * explains. Nothing in it runs: scripts and forms need parts of the library that aren't loaded, and the page's policy
 * allows no WebAssembly, so its decoders are the JavaScript ones.
 */
export const openPdf = async (address: string, signal: AbortSignal): Promise<OpenPdf> => {
  const data = await bytesOf(address, signal)
  signal.throwIfAborted()
  const size = data.byteLength
  GlobalWorkerOptions.workerSrc = workerUrl
  const parts = `${window.location.origin}/assets/pdf-${version}/`
  const task = getDocument({
    data,
    cMapUrl: `${parts}cmaps/`,
    standardFontDataUrl: `${parts}standard_fonts/`,
    wasmUrl: `${parts}wasm/`,
    useWasm: false,
    // Ours have the widths the format requires, whatever fonts a device has.
    useSystemFonts: false,
    enableXfa: false,
    maxImageSize: MAX_IMAGE_PIXELS,
    verbosity: VerbosityLevel.ERRORS
  })
  const close = () => void task.destroy().catch(() => {})
  signal.addEventListener("abort", close)
  try {
    return { document: await task.promise, size, close }
  } catch (failure) {
    close()
    throw failure
  }
}
