/** The demonstration that `npm start` plays without RPC settings. */
export { checkScenario } from './check.ts'
export { type Devnet, startDevnet } from './node/devnet.ts'
export { playScenario, type ScenarioResult } from './play.ts'
