import "@builder.io/qwik/qwikloader.js"
import { boot } from "./app/boot.tsx"

const root = document.getElementById("app")
if (root !== null) boot(root)
