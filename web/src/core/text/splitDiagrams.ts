import { fenceAfter } from "./splitBlocks.ts"

const OPENING = /^(?:`{3,}|~{3,})[ \t]*mermaid\b/
const WHOLE = /^(`{3,}|~{3,})[ \t]*mermaid\b[^\n]*\n([\s\S]*?)\n?\1[`~]*\s*$/

/** Splits a block so that every diagram in it stands alone; joining the pieces gives the block. */
export const splitDiagrams = (block: string): ReadonlyArray<string> => {
  if (!block.includes("mermaid")) return [block]
  const pieces: Array<string> = []
  let fence: string | null = null
  let isDiagram = false
  let piece = ""
  const end = () => {
    if (piece !== "") pieces.push(piece)
    piece = ""
  }
  for (const line of block.split(/(?<=\n)/)) {
    const next = fenceAfter(fence, line.trimEnd())
    if (fence === null && next !== null && OPENING.test(line)) {
      end()
      isDiagram = true
    }
    piece += line
    if (next === null && isDiagram) {
      end()
      isDiagram = false
    }
    fence = next
  }
  end()
  return pieces
}

/** The source of the diagram that a finished piece is; null if it's something else. */
export const diagramIn = (piece: string): string | null => WHOLE.exec(piece)?.[2] ?? null
