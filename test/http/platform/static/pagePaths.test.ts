import { assert, it } from "@effect/vitest"
import { mayBePage } from "../../../../src/http/platform/static/StaticRoutes.ts"
import { SCREENS } from "../../../../web/src/base/routes.ts"

it("every screen's address is one, whatever asks for it", () => {
  for (const { prefix } of SCREENS)
    for (const path of [prefix, `${prefix}/`, `${prefix}/x.json`])
      assert.isTrue(mayBePage(path, "application/json"), path)
})
