import "@builder.io/qwik/qwikloader.js"
import { boot } from "./shell/boot.tsx"
import { guardComposing } from "./shell/guardComposing.ts"

/** Set by the build; only `npm run dev` builds the page of all pieces. */
declare const __PIECES__: boolean

const root = document.getElementById("app")
if (root !== null) {
  guardComposing(window)
  if (__PIECES__ && location.pathname === "/pieces")
    import("../pieces/showPieces.tsx").then(({ showPieces }) => showPieces(root))
  else boot(root)
}
