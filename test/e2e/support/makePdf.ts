/** The content of a page of a generated PDF. */
export interface MadePage {
  /** One line of text. */
  readonly text: string
  /** A filled box, as red, green and blue from 0 to 1. */
  readonly colour: readonly [number, number, number]
  /** In points; A4 upright unless given. */
  readonly size?: readonly [number, number]
  /** A link to another page, by its index. */
  readonly leadsTo?: number
  /** A JPEG 2000 picture of 16 by 16 pixels, drawn over the box; one in a document. */
  readonly picture?: Buffer
  /** A line in a Chinese font that is not embedded, as code points of 16 bits. */
  readonly chinese?: string
}

/** A font whose character map and glyphs a viewer has to know. */
const CHINESE_FONT =
  "<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 4 >> /DW 1000 >>] >>"

const A4 = [595, 842] as const

/** What the box of a page covers, in points from the lower left corner. */
const BOX = "60 500 200 120"

const stream = (content: string, fields = "") =>
  `<< ${fields}/Length ${content.length} >>\nstream\n${content}\nendstream`

const utf16 = (text: string) => Buffer.from(text, "utf16le").swap16().toString("hex")

/** An encryption dictionary that no empty password opens. */
const LOCK = `<< /Filter /Standard /V 1 /R 2 /O <${"5a".repeat(32)}> /U <${"a5".repeat(32)}> /P -4 >>`

/**
 * A PDF with a page per entry, written as the format describes it: objects, a table of where they begin, a trailer. The
 * text is in Helvetica, which is not embedded, so that the viewer has to bring a font.
 */
export const makePdf = (pages: ReadonlyArray<MadePage>, options: { readonly locked?: boolean } = {}): Buffer => {
  const pageObject = (index: number) => 4 + index * 2
  const objects: Array<string> = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, index) => `${pageObject(index)} 0 R`).join(" ")}] >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
  ]
  for (const [index, { text, colour, size = A4, leadsTo, picture, chinese }] of pages.entries()) {
    const link =
      leadsTo === undefined
        ? ""
        : ` /Annots [<< /Type /Annot /Subtype /Link /Rect [60 700 300 730] /Border [0 0 0] /Dest [${pageObject(leadsTo)} 0 R /Fit] >>]`
    const resources = `<< /Font << /F1 3 0 R /F2 ${CHINESE_FONT} >> /XObject << /I1 ${3 + pages.length * 2 + 1} 0 R >> >>`
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${size.join(" ")}] /Resources ${resources} /Contents ${pageObject(index) + 1} 0 R${link} >>`
    )
    const words = text.replace(/[\\()]/g, "\\$&")
    const image = picture === undefined ? "" : " q 200 0 0 120 60 500 cm /I1 Do Q"
    const line = chinese === undefined ? "" : ` BT /F2 24 Tf 60 400 Td <${utf16(chinese)}> Tj ET`
    objects.push(
      stream(`${colour.join(" ")} rg ${BOX} re f${image} 0 g BT /F1 24 Tf 60 705 Td (${words}) Tj ET${line}`)
    )
  }
  const shown = pages.find(({ picture }) => picture !== undefined)?.picture
  objects.push(
    shown === undefined
      ? "null"
      : stream(shown.toString("latin1"), "/Type /XObject /Subtype /Image /Width 16 /Height 16 /Filter /JPXDecode ")
  )
  if (options.locked === true) objects.push(LOCK)

  let body = "%PDF-1.7\n"
  const starts = objects.map((object, index) => {
    const start = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return start
  })
  const lock = options.locked === true ? ` /Encrypt ${objects.length} 0 R /ID [<00> <00>]` : ""
  const table = starts.map((start) => `${String(start).padStart(10, "0")} 00000 n \n`).join("")
  const size = objects.length + 1
  body += `xref\n0 ${size}\n0000000000 65535 f \n${table}`
  const tableStart = body.lastIndexOf("xref\n0 ")
  body += `trailer\n<< /Size ${size} /Root 1 0 R${lock} >>\nstartxref\n${tableStart}\n%%EOF\n`
  return Buffer.from(body, "latin1")
}
