#!/usr/bin/env node
const start = async () => {
  const { serve } = await import("./serve.ts")
  serve()
}

start()

export {}
