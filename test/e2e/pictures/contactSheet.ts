import type { Page } from "playwright-core"

/** A picture on a sheet, with its size in the window's pixels. */
export interface Picture {
  readonly label: string
  readonly width: number
  readonly height: number
  readonly png: Buffer
}

/** How wide a row of pictures is on a sheet. */
const ROW_WIDTH = 1280
const LABEL_HEIGHT = 28
const QUALITY = 0.35

/** Draws rows of pictures, each row as wide as the sheet, with a label above each, as a WebP made by the browser's canvas. */
export const contactSheet = async (page: Page, rows: ReadonlyArray<ReadonlyArray<Picture>>): Promise<Buffer> => {
  const drawn = rows.map((row) =>
    row.map(({ label, width, height, png }) => ({ label, width, height, data: png.toString("base64") }))
  )
  const encoded = await page.evaluate(
    async ({ drawn, rowWidth, labelHeight, quality }) => {
      const placed = drawn.map((row) => {
        const scale = rowWidth / row.reduce((sum, { width }) => sum + width, 0)
        return { row, scale, height: labelHeight + Math.max(...row.map(({ height }) => height * scale)) }
      })
      const canvas = document.createElement("canvas")
      canvas.width = rowWidth
      canvas.height = Math.ceil(placed.reduce((sum, { height }) => sum + height, 0))
      const paint = canvas.getContext("2d")
      if (paint === null) throw new Error("No canvas")
      paint.fillStyle = "#777"
      paint.fillRect(0, 0, canvas.width, canvas.height)
      paint.font = "15px sans-serif"
      paint.imageSmoothingQuality = "high"
      let top = 0
      for (const { row, scale, height } of placed) {
        let left = 0
        for (const picture of row) {
          const bytes = Uint8Array.from(atob(picture.data), (letter) => letter.charCodeAt(0))
          const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }))
          paint.fillStyle = "#fff"
          paint.fillText(picture.label, left + 6, top + labelHeight - 9)
          paint.drawImage(image, left + 2, top + labelHeight, picture.width * scale - 4, picture.height * scale - 4)
          left += picture.width * scale
        }
        top += height
      }
      return canvas.toDataURL("image/webp", quality)
    },
    { drawn, rowWidth: ROW_WIDTH, labelHeight: LABEL_HEIGHT, quality: QUALITY }
  )
  return Buffer.from(encoded.slice(encoded.indexOf(",") + 1), "base64")
}
