/** Rewrites the committed artifacts: `node --import tsx test/kit/contracts/solidity/artifacts.main.ts && npm run format`. */
import { writeFileSync } from 'node:fs'
import { ARTIFACTS } from './artifacts.ts'

for (const { file, compile } of Object.values(ARTIFACTS)) {
  writeFileSync(file, `${JSON.stringify(compile(), null, 2)}\n`)
}
