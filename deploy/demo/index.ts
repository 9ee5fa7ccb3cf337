/** The demonstration that `npm start` plays without RPC settings. */
export { type CheckOptions, checkScenario, type Mismatch } from './check.ts'
export type { ScenarioEntry } from './expectations.ts'
export { type Devnet, type DevnetOptions, startDevnet } from './node/devnet.ts'
export { type Progress, playScenario, type ScenarioOptions, type ScenarioResult } from './play.ts'
