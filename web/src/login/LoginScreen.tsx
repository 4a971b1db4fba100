import { $, component$, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import { below } from "../core/common/basePath.ts"
import { CommandLine } from "../ui/CommandLine.tsx"
import { Icon } from "../ui/Icon.tsx"
import "./login.css"
import { say } from "../core/language/say.ts"

/** Asks for the password; the open address stays and is shown after signing in. */
export const LoginScreen = component$(() => {
  const app = useServices()
  const note = useReadable(app.client.signedOutNote)
  const field = useSignal<HTMLInputElement>()
  const shown = useSignal(false)
  const busy = useSignal(false)
  const problem = useSignal("")
  const setting = useSignal("")

  useBrowserTask$(async () => {
    document.title = say("Sign in · Agent Console")
    field.value?.focus()
    const refused = await app.client.refusedAddress()
    if (refused === null || busy.value || problem.value !== "") return
    problem.value = refused.message
    setting.value = refused.setting ?? ""
  })

  const signIn = $(async () => {
    const password = field.value?.value ?? ""
    if (password === "") {
      problem.value = say("Enter your password.")
      field.value?.focus()
      return
    }
    busy.value = true
    problem.value = ""
    setting.value = ""
    const result = await app.client.login(password)
    busy.value = false
    if (result.ok) return
    problem.value = result.message
    setting.value = result.setting ?? ""
    field.value?.select()
  })

  return (
    <main class="login">
      <div class="stack justify-start gap-2 login-card">
        <img src={below("/icon.svg")} alt="" width={56} height={56} />
        <h1>Agent Console</h1>
        <p class="soft">{say("Sign in to talk to your agents.")}</p>
        {note.value !== null && (
          <p class="soft" role="status">
            {note.value}
          </p>
        )}
        <form class="stack gap-2 full-width login-form" method="post" preventdefault:submit onSubmit$={signIn}>
          <input
            class="visually-hidden"
            type="text"
            name="username"
            autocomplete="username"
            value="console"
            tabIndex={-1}
            readOnly
            aria-hidden="true"
          />
          <label class="small strong" for="password">
            {say("Password")}
          </label>
          <div class="login-field">
            <input
              ref={field}
              id="password"
              class="field"
              type={shown.value ? "text" : "password"}
              name="password"
              autocomplete="current-password"
              spellcheck={false}
              autocapitalize="off"
              aria-invalid={problem.value !== "" && setting.value === "" ? "true" : undefined}
              aria-describedby="login-problem"
            />
            <button
              type="button"
              class="icon-button"
              aria-label={say("Show password")}
              aria-pressed={shown.value ? "true" : "false"}
              onClick$={() => {
                shown.value = !shown.value
              }}
            >
              <Icon name={shown.value ? "eye-off" : "eye"} />
            </button>
          </div>
          <button type="submit" class="button is-primary" disabled={busy.value}>
            {busy.value ? say("Signing in…") : say("Sign in")}
          </button>
          <p id="login-problem" class="login-problem" role="alert">
            {problem.value}
          </p>
          {setting.value !== "" && <CommandLine command={setting.value} label={say("Copy line")} />}
          <p class="soft small login-help">{say("Forgot it? It's set on the console's machine.")}</p>
        </form>
      </div>
    </main>
  )
})
