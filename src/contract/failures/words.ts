/** Values that are words themselves, by their codes. */
export const FAILURE_WORDS = {
  SET_GATEWAY_URL: "set GATEWAY_URL to its address",
  ADDED_ADDRESS: "its address in the console's settings",
  CORRECT_ADDRESS: "correct its address in the console's settings",
  ADDED_TOKEN: "its token in the console's settings",
  SET_TOKEN: "set GATEWAY_TOKEN to the gateway's token and restart the console",
  GIVE_TOKEN: "give the console that gateway's token",
  PUSH_SERVICE: "The push service",
  ENV_FILE: "the console's .env file",
  ENV_LINE: ".env, line {line}",
  ENVIRONMENT: "environment",
  "30 seconds": "30 seconds",
  "60 seconds": "60 seconds",
  "2 minutes": "2 minutes",
  "10 minutes": "10 minutes",
  NAMED_PROVIDER: "the provider {name}",
  UNNAMED_PROVIDER: "the model's provider",
  NAMED_MODEL: "the model {name}",
  UNNAMED_MODEL: "this model"
} as const
