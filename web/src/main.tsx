import "@builder.io/qwik/qwikloader.js"
import { render } from "@builder.io/qwik"
import { installDomGuard } from "./app/installDomGuard.ts"

const boot = (): void => {
  const root = document.getElementById("app")
  if (root === null) return
  installDomGuard()
  root.replaceChildren()
  render(root, <h1>Agent Console</h1>)
}

boot()
