// Defines the build's constants for tests that run the sources directly (`node --import`).
globalThis.__PACKAGE_NAME__ = "agent-console"
globalThis.__PACKAGE_VERSION__ = "0.0.0-source"
globalThis.__BUILD_ID__ = ""
