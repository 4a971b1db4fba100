import { Result } from "effect"
import { decodeSettings } from "../../src/services/platform/settings/decodeSettings.ts"
import type { SettingsShape } from "../../src/services/platform/settings/Settings.ts"

/** Default settings with a home that does not exist; tests name what they need. */
export const testSettings = (overrides: Partial<SettingsShape> = {}): SettingsShape => ({
  ...Result.getOrThrow(
    decodeSettings(
      {},
      { homeDir: "/nonexistent/home", installDir: "/nonexistent/install", webRoot: "/nonexistent/web" }
    )
  ),
  gatewayCli: "/nonexistent/openclaw",
  ...overrides
})
