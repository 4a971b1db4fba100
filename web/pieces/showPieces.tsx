import "../src/styles/main.css"
import { render } from "@builder.io/qwik"
import { Pieces } from "./Pieces.tsx"

/** Draws the page of all pieces in place of the app. */
export const showPieces = (root: HTMLElement): void => {
  document.title = "Pieces"
  render(root, <Pieces />)
}
