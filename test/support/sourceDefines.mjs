// Stands in for the build's constants where a test runs the sources directly (`node --import`).
globalThis.__PACKAGE_NAME__ = "agent-console"
globalThis.__PACKAGE_VERSION__ = "0.0.0-source"
