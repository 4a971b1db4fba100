import "@builder.io/qwik/qwikloader.js"
import { boot } from "./shell/boot.tsx"

const root = document.getElementById("app")
if (root !== null) boot(root)
