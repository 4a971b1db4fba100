import { $, component$, Slot } from "@builder.io/qwik"
import { PRIMARY } from "../../../src/contract/qualifiedKey.ts"
import { StartPills } from "../agents/StartPills.tsx"
import { useServices } from "../base/AppContext.ts"
import { chatPath } from "../base/routes.ts"
import { draftImages } from "../core/composer/draftFiles.ts"
import { gatewayOfKey } from "../core/gateways/gatewayMark.ts"
import { agentOfKey } from "../core/sessions/sessionRows.ts"

/** Above the composer of an empty session: who it talks to. Another choice is another session, which takes the draft along. */
export const StartSession = component$<{ readonly sessionKey: string }>((props) => {
  const app = useServices()
  const key = props.sessionKey
  const gatewayId = gatewayOfKey(key)

  const begin = $((gateway: string, agentId?: string) => {
    const { drafts, sessions } = app.client
    const { sessionKey } = props
    const made = sessions.create({
      ...(gateway === PRIMARY ? {} : { gatewayId: gateway }),
      ...(agentId === undefined ? {} : { agentId })
    })
    const text = drafts.get(sessionKey)
    const images = draftImages.get(sessionKey)
    drafts.set(sessionKey, "")
    draftImages.set(sessionKey, [])
    if (text !== "") drafts.set(made, text)
    if (images.length > 0) draftImages.set(made, images)
    app.router.navigate(chatPath(made))
  })

  return (
    <StartPills
      id="start"
      gatewayId={gatewayId}
      agent={agentOfKey(key)}
      onGateway$={(gateway: string) => begin(gateway)}
      onAgent$={(agent: string) => begin(gatewayOfKey(props.sessionKey), agent)}
    >
      <Slot />
    </StartPills>
  )
})
