import "@builder.io/qwik/qwikloader.js"
import { showPieces } from "../../pieces/showPieces.tsx"

const root = document.getElementById("app")
if (root !== null) showPieces(root)
